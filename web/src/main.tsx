import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { ErrorBoundary } from "./app/ErrorBoundary";
import { createBrowserEngine } from "./engine/browserEngine";
import { browserLink, createAppStore } from "./store";
import "./styles/index.css";

const root = document.getElementById("root");
if (root !== null) {
  const store = createAppStore(createBrowserEngine(), browserLink(window));
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <App store={store} />
      </ErrorBoundary>
    </StrictMode>,
  );
}
