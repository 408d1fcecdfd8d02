// row 97: the product stands in another file and is passed on
import { Own } from "./lib/own";
//= ok product.displayName "own"
export default Own;
