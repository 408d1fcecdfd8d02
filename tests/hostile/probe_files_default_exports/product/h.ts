const d = (C) => class extends C { }; @d export default class Decorated { static self = Decorated; }
