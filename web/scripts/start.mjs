import { buildPage } from "./build.mjs";
import { dist } from "./paths.mjs";
import { main } from "./shell.mjs";
import { serveFolder } from "./static-server.mjs";

await main(async () => {
  await buildPage();
  const { address } = await serveFolder({
    folder: dist,
    port: Number(process.env.PORT ?? 4173),
    host: process.env.HOST ?? "127.0.0.1",
  });
  console.log(`Wait, What If is at ${address} (Ctrl+C ends it)`);
});
