/** `POST /swap/quote`: prices a swap and seals everything that later calls need. */
import { Chain as CoreChain, Quote } from "@geoswap/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import { chainRefusal } from "../chains/chainRefusal.js"
import type { Chain, ChainUnavailable } from "../chains/Chains.js"
import { hasWrongChecksum, wrongChecksum } from "../chains/checksum.js"
import { assetOf, chainOf, type Directory, familyOf } from "../chains/Directory.js"
import { type Refusal, refuse } from "../Refusal.js"
import { withSpanIfTraced } from "../tracing/withSpanIfTraced.js"
import { cachedChains } from "./cachedChains.js"
import type { Dependencies } from "./Service.js"
import { seal } from "./tokenContents.js"

const randomOrderId = (): string => `0x${Hex.encode(crypto.getRandomValues(new Uint8Array(32)))}`

/**
 * Returns the request with its EVM addresses in lower case. Rejects an invalid checksum, because a typo in the
 * recipient would send the output to a stranger. Later steps do not need to check the checksum of a lowercase address
 * again.
 */
const checkTypos = (
  origin: Chain,
  destination: Chain,
  request: Quote.QuoteRequest
): Effect.Effect<Quote.QuoteRequest, Refusal> => {
  const { inputToken, outputToken, recipient, walletAddress } = request
  const addresses = Object.entries({
    ...(origin.family === "evm" && { walletAddress, inputToken }),
    ...(destination.family === "evm" && { outputToken, ...(recipient !== undefined && { recipient }) })
  })
  const wrong = addresses.find(([, address]) => hasWrongChecksum(address))
  return wrong === undefined
    ? Effect.succeed({
        ...request,
        ...Object.fromEntries(addresses.map(([field, address]) => [field, address.toLowerCase()]))
      })
    : Effect.fail(refuse("VALIDATION", `${wrong[0]}: ${wrongChecksum}`))
}

/** Rejects a wallet that belongs to this service, and a recipient that is a token or one of the service's vaults. */
const checkParties = (origin: Chain, destination: Chain, wallet: string, recipient: string) => {
  const same = (chain: Chain, address: string) => (other: string) => CoreChain.sameAddress(chain.family, other, address)
  if ([...origin.vaults, origin.relayer].some(same(origin, wallet))) {
    return Effect.fail(refuse("VALIDATION", "walletAddress: belongs to this service. Use the wallet that pays."))
  }
  const closed = [...destination.vaults, ...destination.tokens.map(({ address }) => address)]
  return closed.some(same(destination, recipient))
    ? Effect.fail(
        refuse(
          "VALIDATION",
          "recipient: is a token or belongs to this service. Use a wallet that can receive the output."
        )
      )
    : Effect.void
}

/**
 * Reads a value again if the cached value is below the amount that the quote needs, because a quote must not be refused
 * due to a stale value.
 */
const rereadIfBelow = (cached: bigint, wanted: bigint, again: Effect.Effect<bigint, ChainUnavailable>) =>
  cached < wanted ? Effect.mapError(again, chainRefusal) : Effect.succeed(cached)

const price = (dependencies: Dependencies, directory: Directory) =>
  Effect.fnUntraced(function* (account: string, input: Quote.QuoteRequest) {
    const { pricing, sealer } = dependencies
    const origin = yield* chainOf(directory, input.originChain)
    const destination = yield* chainOf(directory, input.destinationChain)
    const request = yield* Quote.request(yield* checkTypos(origin, destination, input)).pipe(
      Effect.provideService(CoreChain.Families, familyOf(directory)),
      Effect.mapError((error) => refuse("VALIDATION", error.message))
    )
    const inputToken = yield* assetOf(directory, origin, request.inputToken)
    const outputToken = yield* assetOf(directory, destination, request.outputToken)
    const wallet = input.walletAddress
    const recipient = input.recipient ?? wallet
    yield* checkParties(origin, destination, wallet, recipient)

    const { amount } = request
    // Check only once whether the recipient has a token account, because the result determines both who pays for the
    // account and whether the delivery opens it.
    const opensAccount =
      destination.family === "solana" &&
      (yield* Effect.mapError(destination.lacksAccount(outputToken.address, recipient), chainRefusal))
    const priceWithGas = Effect.gen(function* () {
      // Read the gas only once. The result determines both the charge for the delivery and the gas that is stored in
      // the quote. At submission, the stored gas is compared with the gas that the delivery then needs.
      const gas =
        destination.family === "evm"
          ? yield* Effect.mapError(
              destination.deliveryGas({ token: outputToken.address, to: recipient, amount: 1n }),
              chainRefusal
            )
          : undefined
      const charged = gas === undefined ? {} : { deliveryGas: gas.charged }
      const priced = yield* pricing.price({
        origin,
        destination,
        inputToken,
        outputToken,
        amount,
        wallet,
        recipient,
        opensAccount,
        ...charged,
        ...(request.slippageBps !== undefined && { slippageBps: request.slippageBps })
      })
      return { charged, priced }
    })
    const [{ charged, priced }, ...seen] = yield* Effect.all(
      [
        priceWithGas,
        Effect.mapError(origin.balanceOf(inputToken.address, wallet), chainRefusal),
        Effect.mapError(origin.largestInput(inputToken.address, wallet), chainRefusal),
        Effect.mapError(destination.inventoryOf(outputToken.address), chainRefusal)
      ],
      { concurrency: "unbounded" }
    )
    const [from, to] = [
      yield* chainOf(dependencies.directory, origin.id),
      yield* chainOf(dependencies.directory, destination.id)
    ]
    const balance = yield* rereadIfBelow(seen[0], amount, from.balanceOf(inputToken.address, wallet))
    if (balance < amount) {
      return yield* refuse(
        "INSUFFICIENT_BALANCE",
        `The wallet has ${balance} ${inputToken.symbol} on ${origin.name}, but the swap requires ${amount} (both in the token's smallest unit). Use a smaller amount, or add funds.`,
        { details: { balance: `${balance}` } }
      )
    }
    const largest = yield* rereadIfBelow(seen[1], amount, from.largestInput(inputToken.address, wallet))
    if (largest < amount) {
      return yield* refuse(
        "NO_ROUTE",
        `At most ${largest} ${inputToken.symbol} (in the token's smallest unit) can be swapped at once. Use a smaller amount.`,
        { details: { maximum: `${largest}` } }
      )
    }
    const inventory = yield* rereadIfBelow(seen[2], priced.output, to.inventoryOf(outputToken.address))
    if (inventory < priced.output) {
      return yield* refuse(
        "NO_ROUTE",
        `The service does not have enough ${outputToken.symbol} on ${destination.name} for this swap at the moment. Try a smaller amount, or try again later.`
      )
    }

    const now = yield* Clock.currentTimeMillis
    const expiresAt = now + Quote.lifetimeMillis
    const geoQuoteToken = yield* seal(
      sealer,
      "quote",
      { family: origin.family, account },
      {
        orderId: randomOrderId(),
        expiresAt,
        originChain: origin.id,
        destinationChain: destination.id,
        inputToken: inputToken.address,
        outputToken: outputToken.address,
        wallet,
        recipient,
        amount,
        output: priced.output,
        minOutput: priced.minOutput,
        feeBps: priced.feeBps,
        networkCost: priced.networkCost,
        opensAccount,
        ...charged
      }
    )
    return { geoQuoteToken, ...priced, expiresAt: new Date(expiresAt), origin: origin.family } satisfies Quote.Quote
  })

/** Creates the quote call, with its own cache for chain reads. */
export const quote = (dependencies: Dependencies) =>
  Effect.map(cachedChains(dependencies.directory), (directory) =>
    withSpanIfTraced("Service.quote", price(dependencies, directory))
  )
