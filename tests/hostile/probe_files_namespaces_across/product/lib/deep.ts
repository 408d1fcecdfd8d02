export default class {} 
