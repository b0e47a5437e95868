/** What `geoswap-server --help` prints. */

export const help = `Runs the GeoSwap service: quotes, sealed operations, execution on EVM chains and Solana.

Usage: geoswap-server [<command>] [options]

  serve                    run the service (the command where none is named)
  check                    check configuration, secrets, storage and chains without starting
  keys create              make an API key: --account <name> [--label <words>]
  keys list                list the API keys
  keys revoke <id>         revoke an API key
  keys seal                print a new key that seals tokens, for GEOSWAP_SEAL_KEYS
  swaps list               list swaps, newest first
  swaps show <swap>        tell the whole story of one: by its id, its order id, or the hash of a transaction of it
  swaps fail <swap>        end a swap whose input provably never arrived, and print the proof
  swaps close <swap>       end a swap whose order a vault paid otherwise: --transaction <hash> [--reason <words>]
  inventory                what the vaults hold, what of it is promised, and what pays for gas
  export                   print all swaps for bookkeeping, oldest first
  rotate-seal-key add      make a key that opens tokens and does not seal yet
  rotate-seal-key promote  let the newest key, or the one that is named, seal: rotate-seal-key promote [<name>]
  rotate-seal-key retire   drop all keys but the one that seals: --yes
  devnet [<file>]          print a configuration for the devnet of .geoswap/devnet.json or <file>
  devnet --env [<file>]    print its secrets for a shell: eval "$(geoswap-server devnet --env)"

Options:
  --config <file>          the configuration (geoswap.json)
  --host <address>         serve: listen there instead of where the configuration says
  --port <port>            serve: the same for the port; 0 for any that is free
  --admin-port <port>      serve: the same for the port of the metrics
  --web                    serve: with the swap page; check: whether it could be served
  --offline                check: do not ask the chains
  --state <state>          swaps list: in that state alone; --open: not ended; --ended: ended
  --account <name>         swaps list: of that account alone
  --wallet <address>       swaps list: from that wallet alone
  --since, --until <time>  swaps list, export: accepted from then on, and before then: 2026-11-01, 2026-11-01T10:00Z,
                           or 30m, 24h, 7d for so long ago
  --limit <count>          swaps list: so many at most (50)
  --raw                    swaps show --json: with the signed transactions
  --transaction <hash>     swaps close: the final transaction with the vault's Delivered or Refunded event of the order
  --reason <words>         swaps close: required if the payment is not what was owed; stored in the history
  --min-gas <amount>       inventory: less of a native token than this, in whole tokens, is too little (0)
  --format <format>        export: jsonl, an object on each line, or csv (jsonl)
  --output <file>          export: write there, once all of it is written
  --yes                    rotate-seal-key retire: tokens of the dropped keys are refused from then on
  --json                   print JSON: one value; export: an object on each line
  --log-level <level>      debug, info, warn or error (info)
  --log-format <format>    json, or pretty for people (json); the log is on standard error
  -h, --help               print this
  -v, --version            print the version

Secrets come from the environment: GEOSWAP_SEAL_KEYS, and the keys that the configuration names
(GEOSWAP_EVM_RELAYER_KEY, GEOSWAP_SOLANA_RELAYER_KEY, GEOSWAP_SOLANA_VAULT_KEY). DATABASE_URL is the address of a
PostgreSQL, for any number of servers; without it, storage is a file for one. NAME_FILE names a file that holds NAME.

Exit codes: 0 ended as asked, 1 something is wrong and said so, 64 the command line makes no sense,
130 and 143 a second SIGINT or SIGTERM ended it at once.
`
