/** The cases that the golden transcripts, or the swaps of our own client, show as well. */
import { timeCases } from "./cases/answerCases.js"
import { staleAuthorizations } from "./cases/authorizationCases.js"
import { clientSuite } from "./cases/clientSuite.js"
import { expiryCases } from "./cases/signatureCases.js"
import { swapCases } from "./cases/swapCases.js"
import { tokenCases } from "./cases/tokenCases.js"

clientSuite([swapCases, tokenCases, staleAuthorizations, expiryCases, timeCases])
