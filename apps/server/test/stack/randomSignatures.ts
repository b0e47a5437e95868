/** Signing twice creates two signatures, in every file: viem cannot turn this off again. */
import { setSignEntropy } from "viem/accounts"

setSignEntropy(true)
