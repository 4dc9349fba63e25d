// placeholder
export class Inclusion { constructor() {} theme() {} frame() {} home() {} still() {} }
