/** The keys of the person: where they are, and how they are opened. Each family is loaded only when it is needed. */
import { existsSync, readFileSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { Chain } from "@geoswap/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ask from "../terminal/Prompts.js"
import { checksumProblem } from "../chains/addressProblem.js"
import { type Host as HostShape, Host, variable } from "../node/Host.js"
import { FileProblem, readSecret, reasonOf } from "../node/secretFile.js"
import { bytesOfEvmKey, bytesOfSolanaKey } from "./parseKey.js"
import { KeyError, open, parse } from "./Keystore.js"
import { Settings, type Shape as SettingsShape, type Wallet } from "../config/Settings.js"

export { KeyError } from "./Keystore.js"

/** Where a key is. */
export type Source =
  | { readonly kind: "environment"; readonly variable: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "keystore"; readonly path: string }
  | { readonly kind: "devnet"; readonly wallet: Wallet }

/** The environment variable that holds the key of a family. */
export const variables: Readonly<Record<Chain.Family, string>> = {
  evm: "GEOSWAP_EVM_KEY",
  solana: "GEOSWAP_SOLANA_KEY"
}

/** What a family is called. */
export const familyName: Readonly<Record<Chain.Family, string>> = { evm: "EVM", solana: "Solana" }

const fail = (message: string, next: string) => new KeyError({ message, next })

/** A source in words, without anything of the key. */
export const wordsOf = (source: Source): string => {
  switch (source.kind) {
    case "environment":
      return `the environment variable ${source.variable}`
    case "file":
      return `the file ${source.path}`
    case "keystore":
      return `the keystore ${source.path}`
    case "devnet":
      return `the devnet's wallet ${source.wallet.name}`
  }
}

/** The wallet of a devnet that `--wallet` means: by name, as `evm-2`, or by its address. */
const walletNamed = (wallets: ReadonlyArray<Wallet>, name: string): Wallet | undefined => {
  const [, family, place] = /^(evm|solana)-([1-9]\d?)$/.exec(name) ?? []
  return (
    wallets.find((wallet) => wallet.name.toLowerCase() === name.toLowerCase()) ??
    wallets.find((wallet) => Chain.sameAddress(wallet.kind, wallet.address, name)) ??
    wallets.filter(({ kind }) => kind === family)[Number(place) - 1]
  )
}

const devnetSource = ({ wallet: name, wallets }: SettingsShape, family: Chain.Family) => {
  const ofFamily = wallets.filter(({ kind }) => kind === family)
  const names = ofFamily.map((wallet) => wallet.name).join(", ")
  const wallet = name === undefined ? ofFamily[0] : walletNamed(wallets, name)
  if (wallet === undefined) {
    return Effect.fail(fail(`The devnet has no wallet "${name ?? ""}".`, `Its ${familyName[family]} wallets: ${names}`))
  }
  return wallet.kind === family
    ? Effect.succeed<Source>({ kind: "devnet", wallet })
    : Effect.fail(
        fail(
          `${wallet.name} is a wallet for ${familyName[wallet.kind]} chains, and this needs one for ${familyName[family]}.`,
          `Choose one of: ${names}`
        )
      )
}

/** A keystore by its path, or by its name among Foundry's. */
const keystorePath = (host: HostShape, folder: string, named: string): string => {
  if (isAbsolute(named) || named.includes("/")) return resolve(folder, named.replace(/^~(?=\/)/, host.home))
  const here = resolve(folder, named)
  return existsSync(here) ? here : join(host.home, ".foundry", "keystores", named)
}

/** Where the key of a family is; `undefined` where none is configured. */
export const sourceOf = (family: Chain.Family): Effect.Effect<Source | undefined, KeyError, Settings> =>
  Effect.gen(function* () {
    const settings = yield* Settings
    const host = yield* Host
    if (settings.devnetFile !== undefined) return yield* devnetSource(settings, family)
    if (variable(host, variables[family]) !== undefined) return { kind: "environment", variable: variables[family] }
    const named = settings.keys[family]
    if (named === undefined) return undefined
    const folder = resolve(settings.configFile, "..")
    if (named.env !== undefined) return { kind: "environment", variable: named.env }
    if (named.file !== undefined)
      return { kind: "file", path: resolve(folder, named.file.replace(/^~(?=\/)/, host.home)) }
    return "keystore" in named && named.keystore !== undefined
      ? { kind: "keystore", path: keystorePath(host, folder, named.keystore) }
      : undefined
  })

const requiredSource = (family: Chain.Family) =>
  Effect.flatMap(sourceOf(family), (source) =>
    source === undefined
      ? Effect.fail(
          fail(
            `There is no key for ${familyName[family]} chains.`,
            `Set ${variables[family]}, name a key with geoswap init, or use a devnet with --devnet.`
          )
        )
      : Effect.succeed(source)
  )

/** The password of the keystore: from the environment, from a file, or from the person. */
const password = (path: string) =>
  Effect.gen(function* () {
    const host = yield* Host
    const given = variable(host, "GEOSWAP_KEYSTORE_PASSWORD")
    if (given !== undefined) return Redacted.make(given, { label: "password" })
    const file = variable(host, "GEOSWAP_KEYSTORE_PASSWORD_FILE")
    if (file !== undefined) {
      const bytes = yield* readSecret(resolve(host.folder, file), "The password")
      // Editors end the last line; passwords do not end in one.
      return Redacted.make(new TextDecoder().decode(bytes).replace(/\r?\n$/, ""), { label: "password" })
    }
    return yield* Ask.secret(`Password of ${path}`, "Set GEOSWAP_KEYSTORE_PASSWORD or GEOSWAP_KEYSTORE_PASSWORD_FILE.")
  })

/** Reads a keystore. It is encrypted: its mode is not looked at. */
const readKeystore = (path: string) =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (cause) =>
        new FileProblem({
          message: `The keystore ${path} cannot be read: ${reasonOf(cause)}.`,
          next: "Name another with geoswap init."
        })
    }),
    (text) => parse(text, path)
  )

const textOf = Effect.fnUntraced(function* (source: Exclude<Source, { kind: "keystore" }>) {
  const host = yield* Host
  switch (source.kind) {
    case "devnet":
      return source.wallet.privateKey
    case "file":
      return Redacted.make(new TextDecoder().decode(yield* readSecret(source.path, "The key")))
    case "environment": {
      const text = variable(host, source.variable)
      return text === undefined
        ? yield* fail(`The environment variable ${source.variable} is not set.`, "Set it, or name another key.")
        : Redacted.make(text)
    }
  }
})

/** The bytes of an EVM key; whoever gets them wipes them. */
const evmBytes = Effect.fnUntraced(function* (source: Source) {
  if (source.kind === "keystore") {
    const keystore = yield* readKeystore(source.path)
    return yield* open(keystore, yield* password(source.path))
  }
  const bytes = bytesOfEvmKey(Redacted.value(yield* textOf(source)))
  return bytes ?? (yield* fail(`${wordsOf(source)} holds no EVM key.`, "It should be 0x and 64 hex digits."))
})

const noAddress = (wallet: string) => {
  const problem = checksumProblem(wallet)
  return problem === undefined
    ? fail("--wallet is no address.", "Names are for the wallets of a devnet: geoswap --devnet")
    : fail(`--wallet is no address: ${problem.what}`, problem.next)
}

/** The expected address where `--wallet` names one: another key than the person thinks must not sign. */
const expected = Effect.fnUntraced(function* (family: Chain.Family, address: string) {
  const { devnetFile, wallet } = yield* Settings
  if (devnetFile !== undefined || wallet === undefined) return
  if (!Chain.isAddress("evm", wallet) && !Chain.isAddress("solana", wallet)) return yield* noAddress(wallet)
  if (Chain.isAddress(family, wallet) && !Chain.sameAddress(family, wallet, address)) {
    return yield* fail(`The key is that of ${address}, and --wallet names ${wallet}.`, "Use the key of that wallet.")
  }
})

/** Opens the EVM key, as an account of viem. */
export const evm = Effect.gen(function* () {
  const source = yield* requiredSource("evm")
  const bytes = yield* evmBytes(source)
  const account = yield* Effect.tryPromise({
    try: async () => {
      const { privateKeyToAccount } = await import("viem/accounts")
      return privateKeyToAccount(`0x${Buffer.from(bytes).toString("hex")}`)
    },
    catch: () => fail(`${wordsOf(source)} holds no EVM key.`, "It should be 0x and 64 hex digits of the curve.")
  })
  bytes.fill(0)
  yield* expected("evm", account.address)
  return { account, address: account.address, source }
}).pipe(Effect.withSpan("Keys.evm"))

/** Opens the Solana key, as a key pair of WebCrypto that cannot be exported. */
export const solana = Effect.gen(function* () {
  const source = yield* requiredSource("solana")
  const refuse = () =>
    fail(
      `${wordsOf(source)} holds no Solana key.`,
      "It should be base58 of 64 bytes, or the list that solana-keygen writes."
    )
  if (source.kind === "keystore") return yield* refuse()
  const bytes = bytesOfSolanaKey(Redacted.value(yield* textOf(source)))
  if (bytes === undefined) return yield* refuse()
  const opened = yield* Effect.tryPromise({
    try: async () => {
      const { createKeyPairFromBytes, getAddressFromPublicKey } = await import("@solana/kit")
      const keyPair = await createKeyPairFromBytes(bytes)
      return { keyPair, address: await getAddressFromPublicKey(keyPair.publicKey) }
    },
    catch: refuse
  })
  bytes.fill(0)
  yield* expected("solana", opened.address)
  return { ...opened, source }
}).pipe(Effect.withSpan("Keys.solana"))

/** What a source says of its address without a password; `undefined` where only the password would tell. */
const openAddress = Effect.fnUntraced(function* (family: Chain.Family, source: Source) {
  if (source.kind === "devnet") return source.wallet.address
  if (source.kind !== "keystore") return family === "evm" ? (yield* evm).address : (yield* solana).address
  const { address } = yield* readKeystore(source.path)
  const hex = `0x${(address ?? "").replace(/^0x/, "")}`
  return Chain.isAddress("evm", hex) ? hex : undefined
})

/** The address of the wallet that `--wallet` names, where it names one of this family or of the other. */
const namedAddress = Effect.fnUntraced(function* (family: Chain.Family) {
  const { devnetFile, wallet, wallets } = yield* Settings
  if (wallet === undefined) return undefined
  if (devnetFile !== undefined) {
    const named = walletNamed(wallets, wallet)
    // One that is not there is told by whoever looks for its key.
    return named === undefined || named.kind === family ? undefined : { address: undefined }
  }
  if (Chain.isAddress(family, wallet)) return { address: wallet }
  if (Chain.isAddress(family === "evm" ? "solana" : "evm", wallet)) return { address: undefined }
  return yield* noAddress(wallet)
})

/**
 * The address of the wallet of a family, for what only looks: what `--wallet` names, what the keystore says, or that of
 * the key. `undefined` where there is none.
 */
export const addressOf = Effect.fnUntraced(function* (family: Chain.Family) {
  const named = yield* namedAddress(family)
  if (named !== undefined) return named.address
  const source = yield* sourceOf(family)
  if (source === undefined) return undefined
  return (yield* openAddress(family, source)) ?? (yield* evm).address
})

/** Whether `--wallet` names a wallet of the other family: then there is none to look at in this one. */
export const looksElsewhere = (family: Chain.Family) =>
  Effect.map(namedAddress(family), (named) => named !== undefined && named.address === undefined)

/** The same without asking for a password; `undefined` also where only that would tell. */
export const addressWithoutPassword = Effect.fnUntraced(function* (family: Chain.Family) {
  const named = yield* namedAddress(family)
  if (named !== undefined) return named.address
  const source = yield* sourceOf(family)
  return source && (yield* openAddress(family, source))
})
