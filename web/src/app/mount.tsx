import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, type AppProps } from "./App";
import { ErrorBoundary } from "./ErrorBoundary";

export function mount(root: HTMLElement, props: AppProps): void {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App {...props} />
      </ErrorBoundary>
    </StrictMode>,
  );
}
