/** What neither the golden transcripts nor the tests of single calls show. `protocol.long.test.ts` has the other cases. */
import { indicativeCases } from "./protocol/answerCases.js"
import { authorizationCases } from "./protocol/authorizationCases.js"
import { clientSuite } from "./protocol/clientSuite.js"
import { signatureCases } from "./protocol/signatureCases.js"
import { repeatedSubmits } from "./protocol/swapCases.js"

clientSuite([repeatedSubmits, authorizationCases, signatureCases, indicativeCases])
