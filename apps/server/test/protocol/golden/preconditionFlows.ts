/** Errors of the delegation, the balance, the price, the signature and the availability of chains and venue. */
import * as Effect from "effect/Effect"
import * as evm from "../../stack/evm.js"
import * as protocol from "../client.js"
import { ask, delegateTo, deploymentOf, evmWallet, moveNonce, solanaWallet, usdc } from "../fixture.js"
import { resigned, signed, signedBy, signedTransaction, submit } from "../operations.js"
import { ended, type Flows } from "./flow.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

/** The offset of the blockhash in a built transaction: after the prefix, the header, and the accounts with their count. */
const blockhashAt = 1 + 3 + 1 + 8 * 32

export const preconditionFlows: Flows = {
  "errors-delegation": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const { evmA } = devnet
    const deployment = deploymentOf(devnet, evmA.id)
    const account = await evmPayer(main)
    const request = fromEvm(fixture, account.address)
    const { authorization, quoted, submission } = await signed(fixture, account, request)
    const { geoQuoteToken } = quoted
    note("for another chain")
    const other = await account.signAuthorization({ chainId: evmA.id + 1, address: `0x${"1".repeat(40)}`, nonce: 0 })
    await ask(first, "/swap/build-geo-op", {
      geoQuoteToken,
      authorization: { ...authorization, chainId: evmA.id + 1, r: other.r, s: other.s, yParity: other.yParity }
    })
    await moveNonce(main, account)
    note("the wallet's nonce has moved since")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, authorization })
    note("the wallet's nonce has moved since the build")
    await ask(first, "/swap/submit", submission)
    note("at the new nonce")
    const again = await protocol.authorize(first, account, evmA.id, deployment)
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, authorization: again })
    await delegateTo(main, account, "0x00000000000000000000000000000000deadbeef")
    note("delegated to another provider")
    await ask(first, `/swap/delegation?chainId=${evmA.id}&walletAddress=${account.address}`)
    await ask(first, "/swap/build-geo-op", { geoQuoteToken })
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, authorization: again })
    await ask(first, "/swap/submit", submission)
  },
  "errors-quote": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { first } = fixture
    const { address } = await evmWallet(main, { USDC: 10_000n * usdc })
    const request = fromEvm(fixture, address)
    note("more than the wallet has")
    await ask(first, "/swap/quote", { ...request, amount: `${10_001n * usdc}` })
    note("nothing is left after gas and fee")
    await ask(first, "/swap/quote", { ...request, amount: "1" })
    note("an unknown chain")
    await ask(first, "/swap/quote", { ...request, originChain: 1 })
    note("an unknown token")
    await ask(first, "/swap/quote", { ...request, outputToken: "0x00000000000000000000000000000000deadbeef" })
    note("the native token as input")
    await ask(first, "/swap/quote", { ...request, inputToken: `0x${"0".repeat(40)}` })
    const owner = await solanaWallet(main, { USDC: 10_000n * usdc })
    note("more than the wallet has")
    await ask(first, "/swap/quote", fromSolana(fixture, owner.address, { amount: `${10_001n * usdc}` }))
    note("nothing is left after gas and fee")
    await ask(first, "/swap/quote", fromSolana(fixture, owner.address, { amount: "1" }))
    note("an unknown chain")
    await ask(first, `/swap/delegation?chainId=1&walletAddress=${address}`)
    const { geoQuoteToken } = await protocol.quote(first, fromEvm(fixture, address))
    note("without an authorization")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken })
  },
  "errors-signature": async ({ main }, { name, note, of }) => {
    const fixture = of(main)
    const { first } = fixture
    const [account, stranger] = [await evmPayer(main), await evmWallet(main, {})]
    const { geoOpHash, submission } = await signed(fixture, account, fromEvm(fixture, account.address))
    note("another wallet's")
    const signature = await stranger.signMessage({ message: { raw: geoOpHash } })
    await ask(first, "/swap/submit", { ...submission, signature })
    note("over the hex string and not the 32 bytes")
    await ask(first, "/swap/submit", { ...submission, signature: await account.signMessage({ message: geoOpHash }) })
    const [owner, other] = [await solanaPayer(main), await solanaWallet(main, {})]
    const two = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
    const send = async (what: string, change: Parameters<typeof resigned>[2]) => {
      const changed = await resigned(two.submission.signedTransaction, owner.address, change)
      name(changed, `signedTransaction, ${what}`)
      await ask(first, "/swap/submit-solana", { ...two.submission, signedTransaction: changed })
    }
    await send("without a signature", { signature: async () => null })
    await send("signed by another wallet", { signature: signedBy(other) })
    const message = (bytes: Uint8Array) => bytes.map((byte, at) => (at === blockhashAt ? byte ^ 1 : byte))
    await send("modified", { message, signature: signedBy(owner) })
  },
  "errors-submit": async ({ main, priced }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const account = await evmWallet(main, { USDC: 10_000n * usdc })
    const one = await signed(fixture, account, fromEvm(fixture, account.address))
    // With the same amount, the terms would be equal unless the gas price changes.
    const two = await signed(fixture, account, fromEvm(fixture, account.address, { amount: `${9_000n * usdc}` }))
    await Effect.runPromise(devnet.evmA.hold)
    try {
      const { swapId } = await submit(fixture, one.submission)
      note("another swap under way takes the balance")
      await ask(first, "/swap/submit", two.submission)
      await Effect.runPromise(devnet.evmA.release)
      await ended(main, fixture, swapId)
    } finally {
      await Effect.runPromise(devnet.evmA.release)
    }
    const moving = of(priced.fixture)
    const weth = evm.tokenOf(devnet.evmB, "WETH")
    const payer = await evmPayer(main)
    const { submission } = await signed(moving, payer, fromEvm(moving, payer.address))
    priced.venue.set(weth, { type: "moved", thousandths: 1_006 })
    note("the price has moved below the minimum")
    await ask(moving.first, "/swap/submit", submission)
    priced.venue.set(weth, { type: "status", status: 404 })
    note("the venue has no price any more")
    await ask(moving.first, "/swap/submit", submission)
    priced.venue.set(weth, { type: "status", status: 503 })
    note("the venue does not answer")
    await ask(moving.first, "/swap/submit", submission)
    priced.venue.set(weth, undefined)
  },
  "errors-nonce": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const [account, stranger] = [await evmPayer(main), await evmPayer(main)]
    const request = fromEvm(fixture, account.address)
    const one = await signed(fixture, account, request)
    const { authorization, geoOpToken: previousGeoOpToken } = one
    // With the same amount, the terms would be equal unless the gas price changes.
    const other = fromEvm(fixture, account.address, { amount: `${9_000n * usdc}` })
    const { geoQuoteToken } = await protocol.quote(first, other)
    note("with the token of another step")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken, authorization, previousGeoOpToken: geoQuoteToken })
    note("with an operation of another wallet")
    const foreign = await protocol.quote(first, fromEvm(fixture, stranger.address))
    await ask(first, "/swap/build-geo-op", { geoQuoteToken: foreign.geoQuoteToken, previousGeoOpToken })
    note("with the nonce of an operation that is not a swap")
    const built = await protocol.call<protocol.BuiltOperation>(first, "/swap/build-geo-op", {
      geoQuoteToken,
      authorization,
      previousGeoOpToken
    })
    const signature = await account.signMessage({ message: { raw: built.geoOpHash } })
    await Effect.runPromise(devnet.evmA.hold)
    try {
      const { swapId } = await submit(fixture, { geoOpToken: built.geoOpToken, signature })
      note("the other operation with the same nonce")
      await ask(first, "/swap/submit", one.submission)
      const again = await protocol.quote(first, request)
      note("with the nonce of an operation that is a swap")
      await ask(first, "/swap/build-geo-op", {
        geoQuoteToken: again.geoQuoteToken,
        authorization,
        previousGeoOpToken
      })
      await Effect.runPromise(devnet.evmA.release)
      await ended(main, fixture, swapId)
    } finally {
      await Effect.runPromise(devnet.evmA.release)
    }
  },
  "errors-address": async ({ main }, { note, of }) => {
    const fixture = of(main)
    const { devnet, first } = fixture
    const { address } = await evmWallet(main, { USDC: 10_000n * usdc })
    const wrong = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267"
    note("a recipient with a wrong checksum")
    await ask(first, "/swap/quote", fromEvm(fixture, address, { recipient: wrong }))
    note("the same in lower case, which has no checksum")
    await ask(first, "/swap/quote", fromEvm(fixture, address, { recipient: wrong.toLowerCase() }))
    note("a wallet with a wrong checksum")
    await ask(first, `/swap/delegation?chainId=${devnet.evmA.id}&walletAddress=${wrong}`)
  },
  "errors-unavailable": async ({ severed, unanswered }, { note, of }) => {
    const slow = of(unanswered)
    const [account, owner] = [await evmPayer(unanswered), await solanaPayer(unanswered)]
    note("the venue is too slow")
    await ask(slow.first, "/swap/quote", fromEvm(slow, account.address))
    const fixture = of(severed.fixture)
    const { devnet, first } = fixture
    const one = await signed(fixture, account, fromEvm(fixture, account.address))
    const two = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
    await Effect.runPromise(severed.sever)
    note("no chain can be reached from here on")
    const stranger = "0x00000000000000000000000000000000000a11ce"
    await ask(first, "/swap/quote", fromEvm(fixture, stranger))
    await ask(first, `/swap/delegation?chainId=${devnet.evmA.id}&walletAddress=${stranger}`)
    await ask(first, "/swap/build-geo-op", {
      geoQuoteToken: one.quoted.geoQuoteToken,
      authorization: one.authorization
    })
    await ask(first, "/swap/build-solana-tx", { geoQuoteToken: two.quoted.geoQuoteToken })
    await ask(first, "/swap/submit", one.submission)
    await ask(first, "/swap/submit-solana", two.submission)
    note("what is stored can be read")
    await ask(first, "/swap/status/none")
    await ask(first, "/swap/chains")
  }
}
