/** The demo's five swaps. */
import type { Devnet } from "@geoswap/devnet"
import * as Effect from "effect/Effect"
import type { StackDescription } from "../Stack.js"
import type { Chain } from "./balances.js"
import type { Wallet } from "./client.js"
import type { PausableDemoToken } from "./pausableToken.js"

/** The chain, token and wallet on one side of a swap. */
export interface Side {
  readonly chain: Chain
  readonly token: Chain["tokens"][number]
  readonly wallet: Wallet
}

/** A swap and its expected result. */
export interface Scenario {
  readonly title: string
  readonly note: string
  /** The amount to pay, in tokens. */
  readonly amount: string
  readonly from: Side
  readonly to: Side
  readonly ends: "settled" | "refunded"
  /** Whether the wallet also has to sign a delegation. */
  readonly delegates: boolean
  /** What the demo does to the chains during the swap. */
  readonly interfere?: { readonly before: () => Promise<void>; readonly onSubmitted: () => Promise<void> }
}

/** Describes a swap: "100 USDC on devnet-a → WETH on devnet-b". */
export const routeOf = ({ amount, from, to }: Scenario): string =>
  `${amount} ${from.token.symbol} on ${from.chain.name} → ${to.token.symbol} on ${to.chain.name}`

const named = <A>(all: ReadonlyArray<A>, matches: (one: A) => boolean, what: string): A => {
  const found = all.find(matches)
  if (found === undefined) throw new Error(`The devnet has no ${what}.`)
  return found
}

/** Finds a devnet wallet by name. */
export const walletOf = ({ wallets }: StackDescription, name: string): Wallet =>
  named(wallets, (wallet) => wallet.name === name, name)

export const scenarios = (
  description: StackDescription,
  { evmA, evmB, solana }: Devnet.Devnet,
  pausable: PausableDemoToken
): ReadonlyArray<Scenario> => {
  const [alice, erin] = [walletOf(description, "alice"), walletOf(description, "erin")]
  const on = ({ id }: { readonly id: number }, symbol: string, wallet: Wallet): Side => {
    const chain = named(description.chains, (one) => one.id === id, `chain ${id}`)
    return { chain, wallet, token: named(chain.tokens, (token) => token.symbol === symbol, symbol) }
  }
  return [
    {
      title: "First swap from a new wallet",
      note: "Alice has tokens but no gas. Just this once, she also signs a delegation, so that gas can be paid from her tokens.",
      amount: "100",
      from: on(evmA, "USDC", alice),
      to: on(evmB, "WETH", alice),
      ends: "settled",
      delegates: true
    },
    {
      title: "The same wallet again",
      note: "The delegation is still in place, so one signature is enough.",
      amount: "250",
      from: on(evmA, "USDC", alice),
      to: on(evmB, "WETH", alice),
      ends: "settled",
      delegates: false
    },
    {
      title: "From an EVM chain to Solana",
      note: "Erin receives the output. She signs nothing and needs no SOL.",
      amount: "50",
      from: on(evmA, "USDC", alice),
      to: on(solana, "USDC", erin),
      ends: "settled",
      delegates: false
    },
    {
      title: "From Solana to an EVM chain",
      note: "Erin signs a Solana transaction that the service pays for.",
      amount: "75",
      from: on(solana, "USDC", erin),
      to: on(evmB, "WETH", alice),
      ends: "settled",
      delegates: false
    },
    {
      title: "A swap that cannot be delivered",
      note: "The issuer of PSE pauses the token during the swap. Alice gets her full input back.",
      amount: "200",
      from: on(evmA, "USDC", alice),
      to: { ...on(evmB, "USDC", alice), token: pausable.token },
      ends: "refunded",
      delegates: false,
      // The origin chain mines no blocks until the token is paused, so that the delivery cannot happen before the
      // pause.
      interfere: {
        before: () => Effect.runPromise(evmA.hold),
        onSubmitted: async () => {
          await pausable.stop()
          await Effect.runPromise(evmA.release)
        }
      }
    }
  ]
}
