/** Errors of the API key, the sealed token, the format, the expiry and the rate limits. */
import { getBase64Decoder, getBase64Encoder } from "@solana/kit"
import * as protocol from "../client.js"
import { ask, deploymentOf, type Fixture } from "../fixture.js"
import { signed, signedTransaction } from "../operations.js"
import type { Flows } from "./flow.js"
import type * as Recorder from "./recorder.js"
import { evmPayer, fromEvm, fromSolana, solanaPayer } from "./requests.js"

/** Each call has a body that it accepts or refuses only after authentication and rate limiting. */
const calls: ReadonlyArray<readonly [operation: string, path: string, body?: object]> = [
  ["quote", "/swap/quote", {}],
  ["delegation", "/swap/delegation"],
  ["delegation", "/swap/delegation/1/x"],
  ["build", "/swap/build-geo-op", {}],
  ["build", "/swap/build-solana-tx", {}],
  ["submit", "/swap/submit", {}],
  ["submit", "/swap/submit-solana", {}],
  ["status", "/swap/status/x"],
  ["status", "/swap/status/y"],
  ["chains", "/swap/chains"]
]

/** A token for each call that takes one, with the rest of the body of that call. */
const sealed = async (fixture: Fixture, { name }: Recorder.Recorder) => {
  const [account, owner] = [await evmPayer(fixture), await solanaPayer(fixture)]
  const one = await signed(fixture, account, fromEvm(fixture, account.address))
  const two = await signedTransaction(fixture, owner, fromSolana(fixture, owner.address))
  const { authorization } = one
  const tokens = [
    ["/swap/build-geo-op", "geoQuoteToken", one.quoted.geoQuoteToken, { authorization }],
    ["/swap/build-solana-tx", "geoQuoteToken", two.quoted.geoQuoteToken, {}],
    ["/swap/submit", "geoOpToken", one.submission.geoOpToken, { signature: one.submission.signature }],
    [
      "/swap/submit-solana",
      "geoOpToken",
      two.submission.geoOpToken,
      { signedTransaction: two.submission.signedTransaction }
    ]
  ] as const
  for (const [path, , token] of tokens) name(token, `token for ${path}`)
  return { one, two, tokens }
}

export const refusalFlows: Flows = {
  "errors-api-key": async ({ main }, recorder) => {
    const { first } = recorder.of(main)
    recorder.name(first.apiKey.slice(0, -1), "apiKey without its last character")
    for (const [, path, body] of calls) {
      for (const apiKey of ["", "nonsense", first.apiKey.slice(0, -1)]) await ask({ ...first, apiKey }, path, body)
    }
  },
  "errors-token": async ({ main }, recorder) => {
    const fixture = recorder.of(main)
    const { tokens } = await sealed(main, recorder)
    for (const [path, field, token, rest] of tokens) {
      const modified = `${token.slice(0, 40)}${token[40] === "A" ? "B" : "A"}${token.slice(41)}`
      recorder.name(modified, `token for ${path}, modified`)
      await ask(fixture.first, path, { [field]: modified, ...rest })
      for (const [, , other] of tokens.filter(([of]) => of !== path)) {
        await ask(fixture.first, path, { [field]: other, ...rest })
      }
      recorder.note("by another account")
      await ask(fixture.second, path, { [field]: token, ...rest })
      recorder.note("too short")
      await ask(fixture.first, path, { [field]: "", ...rest })
    }
  },
  "errors-validation": async ({ main }, recorder) => {
    const fixture = recorder.of(main)
    const { devnet, first } = fixture
    const { one, two } = await sealed(main, recorder)
    const { address } = await evmPayer(main)
    const request = fromEvm(fixture, address)
    await ask(first, "/swap/quote", {})
    for (const change of [
      { amount: "1.5" },
      { amount: "0" },
      { walletAddress: "0x1234" },
      { slippageBps: 10_001 },
      { destinationChain: "one" },
      { destinationChain: devnet.solana.id, outputToken: "11111111111111111111111111111111" }
    ]) {
      await ask(first, "/swap/quote", { ...request, ...change })
    }
    const owner = await solanaPayer(main)
    await ask(first, "/swap/quote", fromSolana(fixture, owner.address, { amount: `${2n ** 64n}` }))
    await ask(first, "/swap/delegation")
    await ask(first, `/swap/delegation?chainId=${devnet.evmA.id}`)
    await ask(first, `/swap/delegation?chainId=${devnet.evmA.id}&chainId=1&walletAddress=${address}`)
    await ask(first, `/swap/delegation/${devnet.evmA.id}/0x1234`)
    await ask(first, "/swap/build-geo-op", {})
    const { authorization, quoted } = one
    recorder.note("an authorization without r")
    await ask(first, "/swap/build-geo-op", {
      geoQuoteToken: quoted.geoQuoteToken,
      authorization: { ...authorization, r: undefined }
    })
    await ask(first, "/swap/build-solana-tx", {})
    await ask(first, "/swap/submit", {})
    await ask(first, "/swap/submit", { ...one.submission, signature: "0x1234" })
    await ask(first, "/swap/submit-solana", {})
    await ask(first, "/swap/submit-solana", { ...two.submission, signedTransaction: "AAAA" })
    recorder.note("a byte follows the transaction")
    const bytes = Uint8Array.from(getBase64Encoder().encode(two.submission.signedTransaction))
    const longer = getBase64Decoder().decode(new Uint8Array([...bytes, 0]))
    recorder.name(longer, "signedTransaction with a byte more")
    await ask(first, "/swap/submit-solana", { ...two.submission, signedTransaction: longer })
  },
  "errors-http": async ({ main }, { of }) => {
    const { first } = of(main)
    await ask(first, "/swap/nothing")
    await ask(first, "/swap/quote")
    await ask(first, "/swap/chains", {})
    await ask(first, "/swap/quote", "{")
    await ask(first, "/swap/quote", "[]")
    await ask(first, "/swap/quote", `{"amount":"1","amount":"2"}`)
    await ask(first, "/swap/quote", { filler: "x".repeat(65_536) })
    await ask(first, "/swap/quote", "{}", { headers: { "content-type": "text/plain" } })
    await ask(first, "/swap/quote", "{}", { headers: { "content-encoding": "gzip" } })
  },
  "errors-expired": async ({ late }, recorder) => {
    const fixture = recorder.of(late.fixture)
    const { devnet, first } = fixture
    const [account, owner] = [await evmPayer(late.fixture), await solanaPayer(late.fixture)]
    const [evm, solana] = [fromEvm(fixture, account.address), fromSolana(fixture, owner.address)]
    const pinned = deploymentOf(devnet, devnet.evmA.id)
    const authorization = await protocol.authorize(first, account, devnet.evmA.id, pinned)
    const [one, two] = [await protocol.quote(first, evm), await protocol.quote(first, solana)]
    late.pass(29_999)
    recorder.note("a millisecond before the quote expires")
    const { geoOpHash, geoOpToken } = await protocol.buildOperation(first, evm, one, pinned, authorization)
    const signature = await account.signMessage({ message: { raw: geoOpHash } })
    const transaction = await protocol.buildTransaction(
      first,
      owner.keyPair,
      solana,
      two,
      deploymentOf(devnet, devnet.solana.id)
    )
    late.pass(1)
    recorder.note("30 seconds after the quote")
    await ask(first, "/swap/build-geo-op", { geoQuoteToken: one.geoQuoteToken, authorization })
    await ask(first, "/swap/build-solana-tx", { geoQuoteToken: two.geoQuoteToken })
    late.pass(89_999)
    recorder.note("90 seconds after the build")
    await ask(first, "/swap/submit", { geoOpToken, signature })
    await ask(first, "/swap/submit-solana", transaction)
  },
  "errors-rate-limit": async ({ limited }, { note, of }) => {
    const { first, second } = of(limited)
    for (const operation of new Set(calls.map(([name]) => name))) {
      const mine = calls.filter(([name]) => name === operation)
      for (const index of [0, 1, 2]) {
        const [, path, body] = mine[index % mine.length] ?? [operation, ""]
        if (index === 2) note("the third call of an operation that allows two")
        await ask(first, path, body)
      }
    }
    note("another account has its own allowance")
    await ask(second, "/swap/chains")
  }
}
