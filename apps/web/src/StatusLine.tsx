/** The state of the service and its chains, and links to the documentation. */
import { useChains } from "@geoswap/react"
import { text } from "./language/language.js"
import { usePage } from "./pageContext.js"
import { online, useStore } from "./ui/store.js"

/** Says whether the service responds, and which of the page's chains it offers. */
export const StatusLine = () => {
  const { config, connection } = usePage()
  const isUp = useStore(connection.isUp)
  const isOnline = useStore(online)
  const { data: chains } = useChains()
  const { status } = text
  const missing = chains === undefined ? [] : config.chains.filter(({ id }) => chains.every((chain) => chain.id !== id))
  const state = !isOnline
    ? "offline"
    : !isUp
      ? "down"
      : chains === undefined
        ? "unknown"
        : missing.length > 0
          ? "partly"
          : "up"
  return (
    <p className="status-line">
      <span role="status">
        <span className={`dot dot-${state}`} aria-hidden="true" />
        {state === "partly" ? status.partly(missing.map(({ name }) => name).join(", ")) : status[state]}
      </span>
      <a href="/docs">{status.docs}</a>
      <a href="https://github.com/geoswap/geoswap#readme" target="_blank" rel="noreferrer">
        {status.source}
      </a>
    </p>
  )
}
