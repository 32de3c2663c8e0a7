import { Component, type ReactNode } from "react";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
}

/**
 * The page is broken, the scenario is not: it stands in the link, to copy or to open again. All is loaded anew, for
 * what is left of a broken page would break it again.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <main className="failure">
        <h1>The page stopped. Your scenario is in the link.</h1>
        <pre>
          {error.message}
          {"\n"}
          {location.href}
        </pre>
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
        <button
          type="button"
          onClick={() => {
            location.hash = "";
            location.reload();
          }}
        >
          Open the default scenario
        </button>
      </main>
    );
  }
}
