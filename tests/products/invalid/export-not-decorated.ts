//? DEFAULT_EXPORT_NOT_PRODUCT
export default class Acme {}
