/** The main flows, against the real service on real chains. */
import { isSwapError, type QuoteInput } from "@geoswap/core/promise"
import { act, cleanup, waitFor } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import {
  browserJournal,
  type PinnedToken,
  type SwapState,
  useDelegation,
  useResumableSwaps,
  useSwap,
  useSwapForm,
  useSwapStatus
} from "../../src/index.js"
import { renderPage } from "./page.js"
import type * as Tab from "./tab.js"
import { connect, type Running, walletOf } from "./devnetClient.js"

const fixture = inject("devnetFixture")
const skipped = fixture.missing === undefined ? "" : ` (skipped: ${fixture.missing})`

beforeEach(() => localStorage.clear())
afterEach(cleanup)

const eventually = (expectation: () => void) => waitFor(expectation, { interval: 25 })
const stepsOf = ({ events }: SwapState) => events.map(({ event }) => event.type)

const chainNamed = ({ devnet }: Running, name: string) => {
  const chain = devnet.chains.find((one) => one.name === name)
  if (chain === undefined) throw new Error(`The devnet has no ${name}.`)
  return chain
}

/** 20 USDC on one EVM chain into WETH on the other. */
const requestOf = (running: Running, wallet: string): QuoteInput => {
  const [from, to] = [chainNamed(running, "devnet-a"), chainNamed(running, "devnet-b")]
  const tokenOf = ({ tokens }: typeof from, named: string) =>
    tokens.find(({ symbol }) => symbol === named)?.address ?? ""
  return {
    originChain: from.id,
    destinationChain: to.id,
    inputToken: tokenOf(from, "USDC"),
    outputToken: tokenOf(to, "WETH"),
    amount: 20_000_000n,
    walletAddress: walletOf(running, wallet).address
  }
}

interface EverythingProps {
  readonly tokens: ReadonlyArray<PinnedToken>
  readonly evm: string
  readonly solana: string
}

const useEverything = ({ evm, solana, tokens }: EverythingProps) => {
  const form = useSwapForm({ tokens, wallets: { evm, solana }, quote: { query: { refetchInterval: false } } })
  const swap = useSwap()
  return {
    form,
    swap,
    resumable: useResumableSwaps(),
    delegation: useDelegation(
      form.origin && form.wallet ? { chainId: form.origin.id, walletAddress: form.wallet } : undefined
    ),
    status: useSwapStatus(swap.swap?.swapId)
  }
}

/** A whole page for two wallets. */
const opened = async (running: Running, evm: string, { refuses = false } = {}) => {
  const wallets = { evm: walletOf(running, evm), solana: walletOf(running, "erin") }
  const connected = await connect(running, { ...wallets, refuses, journal: browserJournal() })
  const tokens = running.devnet.chains.flatMap(({ id, tokens }) => tokens.map((token) => ({ ...token, chain: id })))
  const page = renderPage(useEverything, connected, {
    tokens,
    evm: wallets.evm.address,
    solana: wallets.solana.address
  })
  return { ...connected, ...page, now: () => page.result.current }
}

describe.skipIf(fixture.missing !== undefined)(`on the devnet${skipped}`, () => {
  const running = fixture as Running

  it("makes a first swap from the form with the shown quote", async () => {
    const { requestCount, client, now } = await opened(running, "alice")
    await eventually(() => expect(now().form.chains).toHaveLength(3))
    act(() => {
      now().form.set("originChain", String(chainNamed(running, "devnet-a").id))
      now().form.set("destinationChain", String(chainNamed(running, "devnet-b").id))
      now().form.set("outputToken", chainNamed(running, "devnet-b").tokens[1]?.address)
    })
    for (const amount of ["1", "10", "100"]) act(() => now().form.set("amount", amount))
    await eventually(() => expect(now().form.canReview).toBe(true))
    expect(requestCount("/swap/quote")).toBe(1)
    const { form } = now()
    const shown = form.quote.data
    expect(form).toMatchObject({ amount: 100_000_000n, errors: {}, refusal: undefined, impact: "low" })
    expect(Number(form.rate?.inputPerOutput)).toBeGreaterThan(3_900)
    expect(form.quote.secondsLeft).toBeGreaterThan(0)
    await eventually(() => expect(now().form.quote.secondsLeft).toBeLessThan(form.quote.secondsLeft ?? 0))
    await eventually(() => expect(now().delegation.data?.delegated).toBe(false))

    const { request } = form
    if (request === undefined || shown === undefined) throw new Error("no request, or no quote")
    act(() => void now().swap.start(request, { quote: shown }))
    await eventually(() => expect(now().swap.phase).toBe("done"))
    expect(stepsOf(now().swap)).toEqual(
      expect.arrayContaining(["quoted", "authorizing", "signed", "submitted", "done"])
    )
    expect(requestCount("/swap/quote")).toBe(1)
    const [first] = now().swap.events
    expect(first?.event.type === "quoted" && first.event.quote.output).toBe(shown.output)
    expect(now().swap.swap?.status).toBe("settled")
    expect(now().swap.swap?.deliveryTxHash).toMatch(/^0x/)
    expect(await client.pending()).toEqual([])

    await eventually(() => expect(now().status.data?.status).toBe("settled"))
    await eventually(() => expect(now().delegation.data?.delegated).toBe(true))
  })

  it("swaps from Solana to an EVM wallet after a flip", async () => {
    const { now } = await opened(running, "bob")
    await eventually(() => expect(now().form.chains).toHaveLength(3))
    act(() => {
      now().form.set("destinationChain", chainNamed(running, "devnet-solana").id)
      now().form.set("amount", "25")
    })
    expect(now().form).toMatchObject({ errors: {}, recipient: walletOf(running, "erin").address })
    act(() => now().form.flip())
    expect(now().form.origin?.kind).toBe("solana")
    await eventually(() => expect(now().form.canReview).toBe(true))
    const { quote, request } = now().form
    if (request === undefined) throw new Error("no request")
    expect(request.recipient).toBe(walletOf(running, "bob").address)
    act(() => void now().swap.start(request, { quote: quote.data }))
    await eventually(() => expect(now().swap.phase).toBe("done"))
    expect(stepsOf(now().swap)).not.toContain("authorizing")
    expect(now().swap.swap).toMatchObject({ status: "settled" })
  })

  it("settles a swap after its component is unmounted and empties the journal", async () => {
    const { client, hold, now, unmount } = await opened(running, "dave")
    const release = hold("/swap/status/")
    act(() => void now().swap.start(requestOf(running, "dave")))
    await eventually(() => expect(stepsOf(now().swap)).toContain("signed"))
    unmount()
    await waitFor(async () => expect(await client.pending()).toHaveLength(1))
    release()
    await waitFor(async () => expect(await client.pending()).toEqual([]))
  })

  it("finds and resumes a swap after a reload", async () => {
    const tab = document.body.appendChild(document.createElement("iframe"))
    const realm = tab.contentWindow as Window & { readonly eval: (code: string) => Promise<typeof Tab> }
    // How vitest rewrites dynamic imports.
    Object.assign(realm, { __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() } })
    const { open } = await realm.eval(`import(${JSON.stringify(new URL("./tab.ts", import.meta.url).href)})`)
    const request = { ...requestOf(running, "carol"), amount: "20000000" }
    await open(JSON.stringify({ fixture: running, evm: "carol", request }))
    // Removing the frame stops everything that runs in it.
    tab.remove()

    const { client, now } = await opened(running, "carol")
    await eventually(() => expect(now().resumable.data).toHaveLength(1))
    const [flow] = now().resumable.data ?? []
    act(() => void now().swap.resume(flow?.id ?? ""))
    await eventually(() => expect(now().swap.phase).toBe("done"))
    expect(now().swap).toMatchObject({ request: { amount: 20_000_000n }, swap: { status: "settled" } })
    await eventually(() => expect(now().resumable.data).toEqual([]))
    expect(await client.pending()).toEqual([])
    expect(localStorage).toHaveLength(0)
  })

  it("returns a rejected signature and leaves nothing in the journal", async () => {
    const { requestCount, client, now } = await opened(running, "alice", { refuses: true })
    act(() => void now().swap.start(requestOf(running, "alice")))
    await eventually(() => expect(now().swap.phase).toBe("failed"))
    const { error } = now().swap
    if (!isSwapError(error) || error._tag !== "SignerError") throw new Error("not SignerError")
    expect(error.reason).toBe("rejected")
    expect(requestCount("/swap/submit")).toBe(0)
    expect(await client.pending()).toEqual([])
  })
})
