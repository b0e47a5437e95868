/** Starts the page. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.js"
import { loadConfig } from "./config.js"
import { loadLanguage } from "./language/language.js"
import { ErrorBoundary, ErrorPage } from "./ui/ErrorPage.js"

const element = document.getElementById("root")
if (element === null) throw new Error("index.html has no element with the id root.")

const root = createRoot(element)
const queries = new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false } } })

// The language comes first: an error is reported in it. The configuration is already being loaded.
loadLanguage()
  .then(loadConfig)
  .then(
    (config) =>
      root.render(
        <StrictMode>
          <ErrorBoundary>
            <QueryClientProvider client={queries}>
              <App config={config} />
            </QueryClientProvider>
          </ErrorBoundary>
        </StrictMode>
      ),
    (error: unknown) => root.render(<ErrorPage error={error} />)
  )
