/** Every lie about a transaction, through the tools for agents: nothing is signed, and nothing is submitted. */
import { createClient } from "@geoswap/core/promise"
import { Fault, ScriptedTransport } from "@geoswap/core/testing"
import { createTools, fromClient } from "@geoswap/tools"
import { decompileTransactionMessage, getCompiledTransactionMessageDecoder, getTransactionDecoder } from "@solana/kit"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { SolanaSigner } from "../src/promise.js"
import { seededRandom } from "../../../tooling/testing/seededRandom.ts"
import { chainLibrary } from "./chainLibrary.js"
import { walletKey } from "./keys.js"
import { isSameMeaning } from "./meaning.js"
import { mutations, type Plan, write } from "./transactionMutations.js"
import { against, agreement, bytesOf } from "./transactions.js"

const { solanaRequest } = ScriptedTransport
const key = walletKey()

/** The parts of the transaction that the service built for this swap. */
const planOf = (wire: string): Plan => {
  const { messageBytes } = getTransactionDecoder().decode(bytesOf(wire))
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes))
  const { blockhash } = message.lifetimeConstraint as unknown as Pick<Plan, "blockhash">
  const { instructions } = message as unknown as Pick<Plan, "instructions">
  return { instructions, feePayer: message.feePayer.address, blockhash, tables: [], compiled: [], agreement }
}

/** Calls `execute_swap` on a service that changes what it has built. */
const execute = async (change: (wire: string) => string) => {
  const service = ScriptedTransport.make({ library: chainLibrary })
  service.ends("settled", 0)
  service.always(
    "build-solana-tx",
    Fault.alter((answer) => ({ ...answer, unsignedTransaction: change(String(answer["unsignedTransaction"])) }))
  )
  const before = key.signed()
  const client = createClient({
    network: service.network,
    transport: { send: (request, { signal }) => Effect.runPromise(service.send(request), { signal }) },
    signers: {
      solana: SolanaSigner.fromKeyService({ address: key.address, signMessage: async (message) => key.sign(message) })
    },
    policy: {
      budgets: [{ chainId: solanaRequest.originChain, token: solanaRequest.inputToken, amount: 1_000_000_000n }],
      allowedRecipients: [solanaRequest.recipient ?? ""],
      acceptClaims: true
    }
  })
  const tools = createTools(fromClient(client))
  const result = await tools
    .find(({ name }) => name === "execute_swap")
    ?.run({ amount: "5", from: "usdc@solana", to: "usdc@base", recipient: solanaRequest.recipient })
  const { error } = (result?.structured ?? {}) as { readonly error?: { readonly code: string } }
  return {
    code: error?.code,
    signed: key.signed() - before,
    submitted: service.seen("submit-solana").length,
    text: result?.text
  }
}

it("an honest transaction is signed and settled", async () => {
  expect(await execute((wire) => wire)).toMatchObject({ code: undefined, signed: 1, submitted: 1 })
})

/** The changes of the transaction. The others change what was agreed. */
const lies = Object.entries(mutations).filter(([name]) => !/ (agreed|pinned)$/.test(name))

it.each(lies)("a lie about the transaction is not signed: %s", async (name, mutation) => {
  let told = 0
  for (let index = 0; told < 10 && index < 200; index++) {
    const random = seededRandom(index, name.length)
    let isLie = false
    const seen = await execute((wire) => {
      try {
        const { unsignedTransaction } = write(mutation(planOf(wire), random))
        isLie = !isSameMeaning(against(wire), against(unsignedTransaction))
        return unsignedTransaction
      } catch {
        // kit does not encode some changes.
        return wire
      }
    })
    expect([name, index, seen.signed, seen.submitted]).toEqual([name, index, isLie ? 0 : 1, isLie ? 0 : 1])
    if (isLie) told++
  }
  expect(told).toBe(10)
})
