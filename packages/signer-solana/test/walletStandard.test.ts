import { describe, expect, it } from "@effect/vitest"
import { SolanaSigner } from "../src/index.js"
import { isSignedBy, otherKey, signWire, walletKey } from "./keys.js"
import { neverAborted, rejection, refusal } from "./expectError.js"
import { against, agreed, bytesOf, stranger, textOf } from "./transactions.js"
import { accountOf, standardWallet, type StandardWallet } from "./wallets.js"

const { fromWalletStandard } = SolanaSigner
const { address } = walletKey()

describe("a Wallet Standard wallet", () => {
  const key = walletKey()
  const wallet = standardWallet(key)

  it("is refused if it is not connected", () => {
    expect(refusal(() => fromWalletStandard({ ...wallet, accounts: [] }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet is not connected. Call its standard:connect feature first."`
    )
  })

  it("is refused if it can only sign and send in one step", () => {
    const features = { "solana:signAndSendTransaction": { signAndSendTransaction: async () => [] } }
    expect(refusal(() => fromWalletStandard({ ...wallet, features }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet can only sign and send in one step, but the GeoSwap relayer must send the transaction. Use a wallet with solana:signTransaction."`
    )
  })

  it("is refused if it cannot sign for Solana", () => {
    expect(refusal(() => fromWalletStandard({ ...wallet, features: {} }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet cannot sign Solana transactions. Use a wallet with the solana:signTransaction feature."`
    )
    const account = accountOf(key.address, ["solana:signMessage"])
    expect(refusal(() => fromWalletStandard({ ...wallet, accounts: [account] }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet has no connected account that can sign Solana transactions."`
    )
  })

  it("is refused if it comes from the React hook, and the error says where to find the wallet", () => {
    const features = ["solana:signTransaction", "standard:connect"]
    expect(refusal(() => fromWalletStandard({ ...wallet, features } as never))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet contains only the names of its features, as returned by the useWallets React hook. Use the wallet with the same name from getWallets() in @wallet-standard/app."`
    )
  })

  it("is refused if it does not support version 0", () => {
    const feature = { ...wallet.features["solana:signTransaction"], supportedTransactionVersions: ["legacy"] }
    const features = { "solana:signTransaction": feature }
    expect(refusal(() => fromWalletStandard({ ...wallet, features }))).toMatchInlineSnapshot(
      `"wallet | wallet: Test Wallet does not sign version 0 transactions. Update it, or use another wallet."`
    )
  })

  it("is refused if the account is not one of its accounts", () => {
    const of = (account: unknown) => refusal(() => fromWalletStandard(wallet, { account: account as string }))
    expect(of(stranger)).toMatchInlineSnapshot(
      `"account | account: Test Wallet is not connected to AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os. Connect that account first."`
    )
    expect(of(accountOf(stranger))).toMatchInlineSnapshot(
      `"account | account: Test Wallet is not connected to AoVsGaj8MSJ6xwKxfFxo9iZWH3enC8RRTXKH2fx2F8os. Connect that account first."`
    )
    expect(of("me")).toMatchInlineSnapshot(
      `"account | account: expected a Solana account or address, got a string of 2 characters."`
    )
    expect(of(5)).toMatchInlineSnapshot(`"account | account: expected a Solana account or address, got a number."`)
  })

  it("is refused if the chain is not on Solana or the value is not a wallet", () => {
    expect(refusal(() => fromWalletStandard(wallet, { chain: "eip155:1" }))).toMatchInlineSnapshot(
      `"chain | chain: expected an identifier such as solana:mainnet, got eip155:1."`
    )
    expect(refusal(() => fromWalletStandard(undefined as never))).toMatchInlineSnapshot(
      `"wallet | wallet: expected a Wallet Standard wallet, got undefined."`
    )
    expect(refusal(() => fromWalletStandard({ name: "Old", publicKey: {} } as never))).toMatchInlineSnapshot(
      `"wallet | wallet: expected a Wallet Standard wallet, got an object."`
    )
  })

  it("is refused if one of its properties throws", () => {
    const broken = Object.defineProperty({ name: "Broken" }, "accounts", {
      get: () => {
        throw new Error("gone")
      }
    })
    expect(refusal(() => fromWalletStandard(broken as never))).toMatchInlineSnapshot(
      `"wallet | wallet: cannot be read: one of its properties throws."`
    )
  })

  it("is read once", () => {
    const other = otherKey()
    const once = <A>(first: A, then: () => A) => {
      let reads = 0
      return { get: () => (reads++ === 0 ? first : then()) }
    }
    const account = Object.defineProperties(accountOf(key.address), {
      address: once(key.address, () => other.address),
      features: once(["solana:signTransaction"], () => [])
    })
    const flipping = Object.defineProperties(standardWallet(key), {
      accounts: once([account], () => []),
      features: once(wallet.features, () => ({}) as never),
      name: once("Flip", () => 5 as never)
    })
    expect(fromWalletStandard(flipping).address).toBe(key.address)
  })

  it("has its EVM accounts skipped", () => {
    const evm = { ...accountOf(key.address), address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266" }
    expect(fromWalletStandard({ ...wallet, accounts: [evm, accountOf(key.address)] }).address).toBe(key.address)
    expect(refusal(() => fromWalletStandard({ ...wallet, accounts: [evm] }))).toMatch(
      /has no connected account that can sign/
    )
  })

  it("may list an account twice if one entry can sign", () => {
    const accounts = [accountOf(key.address, []), accountOf(key.address)]
    expect(fromWalletStandard({ ...wallet, accounts }, { account: key.address }).address).toBe(key.address)
    expect(
      refusal(() => fromWalletStandard({ ...wallet, accounts: accounts.slice(0, 1) }, { account: key.address }))
    ).toBe(`account | account: Test Wallet cannot sign Solana transactions with ${key.address}. Use another account.`)
  })

  it("signs with the first account that can sign, or with the chosen one", () => {
    const other = otherKey()
    const accounts = [accountOf(stranger, []), accountOf(key.address), accountOf(other.address)]
    expect(fromWalletStandard({ ...wallet, accounts }).address).toBe(key.address)
    expect(fromWalletStandard({ ...wallet, accounts }, { account: other.address }).address).toBe(other.address)
    expect(fromWalletStandard({ ...wallet, accounts }, { account: accountOf(other.address) }).address).toBe(
      other.address
    )
  })

  it.each([
    ["the chain solana:mainnet for mainnet", agreed, {}, "solana:mainnet"],
    [
      "no chain for another network",
      against(agreed.unsignedTransaction, { request: { originChain: 5 } }),
      {},
      undefined
    ],
    ["the chain of the application", agreed, { chain: "solana:devnet" }, "solana:devnet"]
  ] as const)("gets %s", async (_, transaction, options, chain) => {
    const wallet = standardWallet(key)
    await fromWalletStandard(wallet, options).signTransaction(transaction, neverAborted())
    expect(wallet.inputs).toHaveLength(1)
    expect(wallet.inputs[0]?.account).toBe(wallet.accounts[0])
    expect(wallet.inputs[0]?.chain).toBe(chain)
    expect("chain" in (wallet.inputs[0] ?? {})).toBe(chain !== undefined)
  })

  it("gets its current account object, or the first one if that is gone", async () => {
    const wallet = standardWallet(key)
    const signer = fromWalletStandard(wallet)
    const [first] = wallet.accounts
    const replaced = accountOf(key.address)
    wallet.accounts = [accountOf(otherKey().address), replaced]
    await signer.signTransaction(agreed, neverAborted())
    wallet.accounts = undefined as never
    await signer.signTransaction(agreed, neverAborted())
    expect(wallet.inputs.map(({ account }) => [account === replaced, account === first])).toStrictEqual([
      [true, false],
      [false, true]
    ])
  })

  it.each<[string, (wallet: StandardWallet) => unknown]>([
    ["lose its accounts", (wallet) => (wallet.accounts = undefined as never)],
    [
      "throw when its accounts are read",
      (wallet) =>
        Object.defineProperty(wallet, "accounts", {
          get: () => {
            throw new Error("locked")
          }
        })
    ]
  ])("may %s once it has signed", async (_, then) => {
    const wrongs: ReadonlyArray<[number, string]> = [
      [0, "signed"],
      [1, `Test Wallet returned a signature that is not ${address}'s signature over this transaction.`]
    ]
    for (const [wrong, expected] of wrongs) {
      const wallet: StandardWallet = standardWallet(key, (bytes) => {
        const signed = signWire(key, bytes)
        signed[70] = Number(signed[70]) ^ wrong
        then(wallet)
        return signed
      })
      const signer = fromWalletStandard(wallet)
      const ended = await signer.signTransaction(agreed, neverAborted()).then(
        (signed) => (isSignedBy(signed, address) ? "signed" : "signed wrongly"),
        (error: unknown) => (error as Error).message
      )
      expect(ended).toBe(expected)
    }
  })

  it("cannot change the transaction through the bytes that it gets", async () => {
    const wallet = standardWallet(key, (bytes) => {
      const signed = signWire(key, bytes)
      bytes.fill(7)
      return signed
    })
    const signed = await fromWalletStandard(wallet).signTransaction(agreed, neverAborted())
    expect(isSignedBy(signed, address)).toBe(true)
    expect(textOf(bytesOf(signed).fill(0, 65, 129))).toBe(agreed.unsignedTransaction)
  })

  it("gets an error with the account that signed if the user switched accounts", async () => {
    const other = otherKey()
    const switched = standardWallet(other, (bytes) => {
      const signed = Uint8Array.from(bytes)
      signed.set(other.sign(bytes.slice(129)), 65)
      return signed
    })
    const wallet = { ...standardWallet(key), features: switched.features }
    const signer = fromWalletStandard(wallet)
    wallet.accounts = [accountOf(other.address)]
    const error = await rejection(signer.signTransaction(agreed, neverAborted()))
    expect(error).toMatchObject({ _tag: "SignerError", reason: "invalid" })
    expect(error.message).toMatchInlineSnapshot(
      `"Test Wallet signed with account J2xccRtuG43drESLYznHhLhQkLTdfepcKYbiQ9BsJVaf instead of GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB. Switch the wallet back to GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB."`
    )
  })
})
