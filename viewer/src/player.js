// The time cursor: which frame is shown, and how it moves.

export class Player extends EventTarget {
    constructor(run) {
        super();
        this.run = run;
        this.last = run.frames.length - 1;
        this.at = 0; // in frames; between two of them while playing
        this.isPlaying = false;
        const span = run.times[this.last] - run.times[0];
        this.natural = Math.min(Math.max(span, 4), 12); // seconds that all frames take
        this.speed = 1;
    }

    get index() { return Math.min(Math.floor(this.at + 1e-9), this.last); }
    get fraction() { return this.at - this.index; }

    get time() {
        const { times } = this.run, i = this.index;
        return i === this.last ? times[i] : times[i] + this.fraction * (times[i + 1] - times[i]);
    }

    seek(at) {
        const clamped = Math.min(Math.max(at, 0), this.last);
        if (clamped === this.at) return;
        this.at = clamped;
        this.dispatchEvent(new Event('move'));
    }

    seekTime(t) {
        const { times } = this.run;
        let best = 0;
        for (let i = 1; i <= this.last; i++)
            if (Math.abs(times[i] - t) < Math.abs(times[best] - t)) best = i;
        this.pause();
        this.seek(best);
    }

    step(by) {
        this.pause();
        this.seek((by < 0 ? Math.ceil(this.at - 1e-9) : this.index) + by);
    }

    play() {
        if (this.last === 0) return;
        if (this.at >= this.last) this.seek(0);
        this.isPlaying = true;
        this.dispatchEvent(new Event('state'));
    }

    pause() {
        if (!this.isPlaying) return;
        this.isPlaying = false;
        this.dispatchEvent(new Event('state'));
    }

    toggle() { if (this.isPlaying) this.pause(); else this.play(); }

    // Let so many seconds pass.
    advance(seconds) {
        if (!this.isPlaying) return;
        const next = this.at + seconds * this.speed * this.last / this.natural;
        this.seek(next);
        if (next >= this.last) this.pause();
    }
}
