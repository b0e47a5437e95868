/** Every case with signers that are converted, too. */
import "./signerContract.test.js"
