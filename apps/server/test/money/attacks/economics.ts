/**
 * Wallets that make their swaps fail, on chains: between acceptance and inclusion they transfer, approve, cancel, delegate
 * and revoke, and their recipients reject. What that costs the operator is limited, and it does not harm other wallets.
 */
import { describe, layer } from "@effect/vitest"
import type { Devnet } from "@geoswap/devnet"
import { type Address, zeroAddress } from "viem"
import { expect } from "vitest"
import { repeat, seed, seededRandom, type SeededRandom } from "../../../../../tooling/testing/seededRandom.js"
import { gasOf, heightOf, lostGasOf } from "../../stack/costs.js"
import * as database from "../../stack/database.js"
import * as evm from "../../stack/evm.js"
import { make, play, type Setup, timeout, until } from "../../stack/fixture.js"
import { expectNothingLeft } from "../../stack/outcome.js"
import { devnetLayer } from "../../stack/stack.js"
import { type Answer, build, call, ok, quoteWith, requestOf, submissionOf } from "../payments/client.js"
import { withLimits } from "../payments/setup.js"
import { deployAccepting, targetOf, tokenOf } from "../payments/wallets.js"
import { actions, anyKind, newWallet, type Wallet } from "./economicsWallets.js"

const usdc = 1_000_000n
/** What each swap pays, the most swaps of a wallet in a round, and what the attackers have at the start of a round. */
const each = 5n * usdc
const swapsMost = 3
const attackers = 4
const perWallet = BigInt(swapsMost) * each
const capital = BigInt(attackers) * perWallet
interface Props {
  readonly accepting: Address
  readonly rejecting: Address
  readonly innocents: ReadonlyArray<Wallet>
}

/** Quotes, builds, signs and submits with one of the methods of the quote. */
const payAny = async (
  running: Setup["running"],
  { account }: Wallet,
  request: object,
  random: SeededRandom
): Promise<Answer> => {
  const quoted = await call(running, "/swap/quote", request)
  const { paymentMethods = [] } = quoted.body
  if (quoted.status !== 200 || paymentMethods.length === 0) return { ...quoted, status: 422 }
  const method = random.pick(paymentMethods)
  const built = await build(running, request, method)
  if (built.status !== 200) return built
  return call(running, "/swap/submit", await submissionOf(account, built.body))
}

const prepare = (gasPerHour: number) => async (devnet: Devnet.Devnet) => {
  const accepting = await deployAccepting(devnet)
  const innocents: Array<Wallet> = []
  for (const kind of ["ours", "foreign", "plain"] as const) {
    const wallet = await newWallet(devnet, accepting, kind)
    await evm.mint(devnet, devnet.evmA, "USDC", wallet.account.address, perWallet)
    innocents.push(wallet)
  }
  const targets = [await targetOf(devnet, accepting)]
  const change = withLimits(devnet, { targets, strikesPerTarget: 1_000 }, { gasPerHour })
  return { change, props: { accepting, innocents, rejecting: await evm.deployPretender(devnet, devnet.evmB) } }
}

/** Submits as many swaps as a wallet can pay for. Returns how many were accepted. */
const submitAll = async ({ devnet, running }: Setup, wallet: Wallet, { rejecting }: Props, random: SeededRandom) => {
  let accepted = 0
  for (let swap = 1 + random.below(swapsMost); swap > 0; swap--) {
    const rejects = random.below(8) === 0
    const request = requestOf(devnet, wallet.account.address, tokenOf(devnet.evmA, "USDC"), {
      amount: `${each}`,
      ...(rejects && { recipient: rejecting, outputToken: zeroAddress })
    })
    if ((await payAny(running, wallet, request, random)).status === 200) accepted += 1
  }
  return accepted
}

/** Gives the attackers what they had before the last round, in wallets that have not been struck. */
const replenish = async (
  { devnet, running }: Setup,
  wallets: Array<Wallet>,
  { accepting }: Props,
  random: SeededRandom
) => {
  const struck = new Set(database.struckWalletsOf(running.database))
  for (let index = 0; index < attackers; index++) {
    const wallet = wallets[index]
    if (wallet === undefined || struck.has(wallet.account.address.toLowerCase()) || random.below(4) === 0) {
      wallets[index] = await newWallet(devnet, accepting, anyKind(random))
    }
    await evm.topUp(devnet, devnet.evmA, "USDC", wallets[index]?.account.address ?? zeroAddress, perWallet)
  }
}

/** With each method, an account can lose half of the gas per hour, and what is in flight when it has. */
export const suite = (rounds: number, gasPerHour: number): void => {
  describe("wallets that make their swaps fail", () => {
    layer(devnetLayer, { timeout, excludeTestServices: true })((it) => {
      it.effect(
        `cost the operator and hold of its outputs only so much in ${rounds} rounds with a budget of ${gasPerHour} gas, and harm no other wallet`,
        () =>
          play(prepare(gasPerHour), async (setup, props) => {
            const { devnet, running } = setup
            const { evmA } = devnet
            const [firstKey, secondKey] = running.apiKeys
            const other = { ...running, apiKeys: [secondKey, firstKey] as const }
            const methodsOf = async ({ account }: Wallet) =>
              ok(await call(other, "/swap/quote", requestOf(devnet, account.address, tokenOf(evmA, "USDC"))))
                .paymentMethods
            const before = await Promise.all(props.innocents.map(methodsOf))
            const since = await heightOf(setup)
            const started = new Date().getUTCHours()
            const everyone: Array<Wallet> = []
            const wallets: Array<Wallet> = []
            let [swaps, most, gasMost] = [0, 0n, 0n]
            for (let number = 0; number < rounds; number++) {
              const random = seededRandom(seed, number)
              await replenish(setup, wallets, props, random)
              everyone.push(...wallets.filter((wallet) => !everyone.includes(wallet)))
              await make(evmA.hold)
              const height = await heightOf(setup)
              for (const wallet of wallets) swaps += await submitAll(setup, wallet, props, random)
              // What is in a block is paid for.
              const held = database.heldBeforeInclusionOf(running.database)
              most = held > most ? held : most
              expect([held * 2n <= capital * 3n, held, repeat(number)]).toEqual([true, held, repeat(number)])
              await until(() => database.unsentOf(running.database) === 0)
              for (const wallet of wallets) {
                const to = random.pick(wallets).account.address
                await random.pick(actions)(devnet, wallet, props.accepting, to)
              }
              // One block, which is not final: what failed in it is given back before that.
              await make(evmA.mine())
              await until(() => database.heldBeforeInclusionOf(running.database) === 0n)
              const gas = await gasOf(devnet, evm.operator(devnet, "relayer").address, height)
              gasMost = gas > gasMost ? gas : gasMost
              await make(evmA.release)
            }
            await until(() => database.leftOf(running.database).open === 0)
            await expectNothingLeft(setup)

            const lost = await lostGasOf(devnet, running.database, since)
            const spent = await Promise.all(everyone.map(({ account }) => gasOf(devnet, account.address, since)))
            const attack = spent.reduce((sum, gas) => sum + gas, 0n)
            const recorded = database.lostGasOf(running.database)
            const total = [...recorded.values()].reduce((sum, gas) => sum + gas, 0n)
            process.stdout.write(
              `${swaps} swaps of ${everyone.length} wallets: operator lost ${lost} gas, attackers spent ${attack}; held at most ${most} of ${capital}\n`
            )
            // Nothing is lost without a record. Shares of batches are rounded down.
            expect(total <= lost && total + BigInt(swaps) >= lost).toBe(true)
            const hours = BigInt(1 + ((new Date().getUTCHours() - started + 24) % 24))
            for (const gas of recorded.values()) {
              expect(gas).toBeLessThanOrEqual(hours * (BigInt(gasPerHour) / 2n + gasMost))
            }
            expect(database.struckWalletsOf(running.database).length).toBeGreaterThan(0)
            for (const [index, wallet] of props.innocents.entries()) {
              await quoteWith(
                other,
                requestOf(devnet, wallet.account.address, tokenOf(evmA, "USDC")),
                before[index] ?? []
              )
            }
          }),
        timeout + rounds * 30_000
      )
    })
  })
}
