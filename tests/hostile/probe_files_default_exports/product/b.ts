export default class { x = "b"; }
