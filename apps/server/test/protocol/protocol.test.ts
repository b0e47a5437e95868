/** What neither the golden transcripts nor the tests of single calls show. `protocol.long.test.ts` has the other cases. */
import { indicativeCases } from "./cases/answerCases.js"
import { authorizationCases } from "./cases/authorizationCases.js"
import { clientSuite } from "./cases/clientSuite.js"
import { signatureCases } from "./cases/signatureCases.js"
import { repeatedSubmits } from "./cases/swapCases.js"

clientSuite([repeatedSubmits, authorizationCases, signatureCases, indicativeCases])
