/** The command tree. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Flags from "../flags/Flags.js"
import { argument, booleanFlag, optionalArgument, optionalFlag, wholeFlag } from "../flags/parameters.js"
import { quoteParams, swapParams } from "../flags/swapFlags.js"
import { lazyCommand } from "./lazyCommand.js"
import { completionsOf } from "./completions/command.js"
import { config } from "./config/command.js"
import { contacts } from "./contacts/command.js"
import { delegation } from "./delegation/command.js"
import { keys } from "./keys/command.js"
import { policy } from "./policy/command.js"
import { skill } from "./skill/command.js"
import { token } from "./token/command.js"

const root = Command.make("geoswap").pipe(
  Command.withDescription(
    "Swap tokens between chains, from a terminal or a script. You need no gas: the network cost is deducted from the amount you pay."
  )
)

const commands = [
  {
    group: "Swap",
    commands: [
      lazyCommand("quote", "Show the current price of a swap", quoteParams, () => import("./quote.js"), "run", [
        { command: "geoswap quote 10 usdc@base weth@arbitrum", description: "Show the price of 10 USDC in WETH" }
      ]),
      lazyCommand(
        "swap",
        "Swap one token for another, on one chain or between chains",
        swapParams,
        () => import("./swap/handler.js"),
        "run",
        [
          {
            command: "geoswap swap 10 usdc@base weth@arbitrum",
            description: "Swap 10 USDC on Base for WETH on Arbitrum"
          },
          {
            command: "geoswap swap 10 usdc@base weth@arbitrum --yes --min-output 0.002",
            description: "Swap without prompting, for at least 0.002 WETH. --yes requires a minimum of your own"
          }
        ]
      ),
      lazyCommand(
        "status",
        "Show the status of a swap, or wait until it finishes",
        {
          swapId: argument("swap-id", "The swap id that the service returned"),
          watch: booleanFlag("watch", "Wait until the swap has settled, failed or been refunded")
        },
        () => import("./status.js"),
        "run"
      ),
      lazyCommand(
        "watch",
        "Watch several swaps until all of them have finished",
        {
          swapIds: Argument.variadic(
            argument("swap-id", "The swaps to watch (default: the swaps in your history that have not finished)")
          )
        },
        () => import("./watch.js"),
        "run",
        [{ command: "geoswap watch", description: "Watch all swaps that have not finished" }]
      ),
      lazyCommand(
        "resume",
        "Resume an interrupted swap. A swap is never executed twice",
        {
          id: optionalArgument("id", "A flow id or swap id (default: the unfinished swap, if there is exactly one)"),
          all: booleanFlag("all", "Resume all unfinished swaps, one after another")
        },
        () => import("./resume.js"),
        "run"
      ),
      lazyCommand(
        "forget",
        "Forget an unfinished swap, if you know how it ended. If you are wrong, you may pay twice",
        { id: argument("id", "The flow id or swap id of an unfinished swap") },
        () => import("./forget.js"),
        "run"
      ),
      lazyCommand(
        "history",
        "List the swaps started on this machine",
        {
          limit: wholeFlag(
            "limit",
            "count",
            [1, 1_000_000],
            "The maximum number of swaps to show, newest first (default: 20)"
          ),
          refresh: booleanFlag("refresh", "Get the current status of pending swaps from the service")
        },
        () => import("./history.js"),
        "run"
      )
    ]
  },
  {
    group: "Inspect",
    commands: [
      lazyCommand("chains", "List the chains you can swap between", {}, () => import("./chains.js"), "run"),
      lazyCommand(
        "tokens",
        "List the pinned tokens and the tokens that the service supports",
        { chain: optionalArgument("chain", "A chain's name, alias or id (default: all)") },
        () => import("./tokens.js"),
        "run"
      ),
      lazyCommand(
        "balance",
        "Show your wallets' balances, as read from your nodes",
        { chain: optionalFlag("chain", "chain", "Show only the chain with this name, alias or id") },
        () => import("./balance.js"),
        "run"
      ),
      delegation
    ]
  },
  {
    group: "Agents",
    commands: [
      lazyCommand(
        "mcp",
        "Serve quotes and swaps to agents over the Model Context Protocol, within your policy",
        {
          http: booleanFlag("http", "Serve over HTTP on this machine (default: over standard input and output)"),
          port: wholeFlag("port", "port", [0, 65_535], "The port for --http (default: a free port)"),
          tokenFile: optionalFlag(
            "token-file",
            "file",
            "The file with the bearer token for --http (default: mcp.token in the state folder). It is created if it is missing"
          ),
          allowOrigin: Flag.String("allow-origin").pipe(
            Flag.withMetavar("origin"),
            Flag.withDescription("The origin of a web page that may connect with --http. May be repeated"),
            Flag.atLeast(0)
          )
        },
        () => import("./mcp.js"),
        "run",
        [
          {
            command: "geoswap mcp",
            description: "Serve over standard input and output, for a client that starts the server"
          },
          {
            command: "geoswap mcp --http --port 7391",
            description: "Serve over HTTP for clients with the bearer token"
          }
        ]
      ),
      policy,
      lazyCommand(
        "approve",
        "Approve a swap of an agent, after you have seen its terms. Asks for the wallet's password",
        {
          id: optionalArgument("id", "The id of the request"),
          list: booleanFlag("list", "List the requests"),
          reject: booleanFlag("reject", "Reject the request"),
          minOutput: optionalFlag(
            "min-output",
            "amount",
            "Accept a lower minimum output, in tokens, so that the price may move until the swap"
          )
        },
        () => import("./approve.js"),
        "run",
        [
          { command: "geoswap approve --list" },
          { command: "geoswap approve evm-1f2e3d4c5b6a", description: "Show the terms, and approve them" }
        ]
      ),
      skill
    ]
  },
  {
    group: "Set up",
    commands: [
      lazyCommand(
        "init",
        "Configure the service URL, your keys, and the contracts and tokens you trust",
        {
          apiKeyFile: optionalFlag(
            "api-key-file",
            "file",
            "Use the API key in this file (default: store the key from GEOSWAP_API_KEY)"
          ),
          newKey: booleanFlag("new-keystore", "Create an EVM key in an encrypted keystore"),
          importKey: booleanFlag(
            "import-key",
            "Import an EVM key into an encrypted keystore. The key is read from GEOSWAP_EVM_KEY or a prompt"
          ),
          keystore: optionalFlag("keystore", "file|name", "Use a keystore file, or a Foundry keystore by name"),
          keyFile: optionalFlag("key-file", "file", "Use the EVM key in this file"),
          solanaKeyFile: optionalFlag("solana-key-file", "file", "Use the Solana key in this file"),
          deployment: optionalFlag(
            "deployment",
            "file",
            "Pin the contracts in this file. Get the file from a source you trust"
          ),
          bundledTokens: booleanFlag(
            "bundled-tokens",
            "Pin the bundled tokens on chains with pinned contracts. --yes on its own does not pin tokens"
          )
        },
        () => import("./init/handler.js"),
        "run",
        [
          { command: "geoswap init", description: "Set up interactively" },
          {
            command:
              "geoswap init --yes --url https://swap.example --keystore main --deployment contracts.json --bundled-tokens",
            description: "Set up from a script"
          }
        ]
      ),
      keys,
      contacts,
      token,
      config,
      lazyCommand(
        "doctor",
        "Check the service, keys, contracts and wallet, and list any problems and how to fix them",
        {},
        () => import("./doctor/handler.js"),
        "run"
      )
    ]
  }
] as const

/** The complete program. */
export const program = root.pipe(
  Command.withSubcommands([
    ...commands,
    { group: "Shell", commands: [completionsOf((): Command.Command.Any => program)] }
  ]),
  Command.provide(Flags.layer),
  Command.withGlobalFlags(Flags.globals)
)
