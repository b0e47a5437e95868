/** What is shown in place of a page that cannot go on. */
import { Component, type ReactElement, type ReactNode } from "react"

/** Why there is no page, and a button to try again. */
export const ErrorPage = ({ error }: { readonly error: unknown }): ReactElement => (
  <main className="broken">
    <div role="alert">
      <h1>This page cannot be shown</h1>
      <p>{error instanceof Error ? error.message : "Something went wrong."}</p>
      <p>Swaps that were submitted go on without it.</p>
    </div>
    <button type="button" className="main" onClick={() => location.reload()}>
      Load it again
    </button>
  </main>
)

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

/** Catches what breaks below. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : <ErrorPage error={this.state.error} />
  }
}
