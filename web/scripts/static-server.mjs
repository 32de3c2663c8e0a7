import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** The file that a request means, or null; nothing outside the folder is ever meant. */
function fileFor(folder, prefix, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://host").pathname);
  } catch {
    return null;
  }
  if (!path.startsWith(prefix)) return null;
  const file = normalize(join(folder, path.slice(prefix.length)));
  if (file !== folder && !file.startsWith(folder + sep)) return null;
  const page = existsSync(file) && statSync(file).isDirectory() ? join(file, "index.html") : file;
  return existsSync(page) ? page : null;
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * A static host that does as little as a static host may: no isolation headers, no rewriting.
 * `prefix` is the folder that the site lives in, with slashes at both ends. `headers` come on top.
 * A port that is taken gives way to a free one.
 */
export async function serveFolder({ folder, prefix = "/", port = 0, host = "127.0.0.1", headers = {} }) {
  const server = createServer((request, response) => {
    const file = fileFor(folder, prefix, request.url ?? "/");
    if (file === null || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      "content-length": statSync(file).size,
      "cache-control": "no-cache",
      ...headers,
    });
    if (request.method === "HEAD") response.end();
    else createReadStream(file).pipe(response);
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    if (error.code !== "EADDRINUSE" || port === 0) throw error;
    await listen(server, 0, host);
  }
  return {
    address: `http://${host === "127.0.0.1" ? "localhost" : host}:${server.address().port}${prefix}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
