/** The cases that the golden transcripts, or the swaps of our own client, show as well. */
import { answerCases, timeCases } from "./protocol/answerCases.js"
import { staleAuthorizations } from "./protocol/authorizationCases.js"
import { clientSuite } from "./protocol/clientSuite.js"
import { expiryCases } from "./protocol/signatureCases.js"
import { swapCases } from "./protocol/swapCases.js"
import { tokenCases } from "./protocol/tokenCases.js"

clientSuite([swapCases, tokenCases, staleAuthorizations, expiryCases, answerCases, timeCases])
