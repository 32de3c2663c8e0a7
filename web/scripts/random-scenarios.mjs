import { parseArgs } from "node:util";
import { buildPage } from "./build.mjs";
import { environment, playwright } from "./e2e.mjs";
import { nodeProgram } from "./paths.mjs";
import { Told, main, say, show } from "./shell.mjs";

const whole = (name, text) => {
  if (!/^\d{1,6}$/.test(text)) throw new Told(`--${name} is a whole number`);
  return text;
};

/**
 * Random scenarios in Chromium over the built page, each read by a machine: every sentence, label and number, and the
 * command line of each. What is at fault is printed with its link. `--texts` prints what every page says, too.
 */
await main(async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: "string", default: "300" }, seed: { type: "string", default: "1" },
      patience: { type: "string", default: "15" }, texts: { type: "boolean", default: false },
    },
  });
  await buildPage();
  say(`${values.count} random scenarios from seed ${values.seed}: some seconds each`);
  const env = {
    ...(await environment()), RANDOM_COUNT: whole("count", values.count), RANDOM_SEED: whole("seed", values.seed),
    RANDOM_PATIENCE_S: whole("patience", values.patience), RANDOM_PRINTED_EVERY: "1",
    ...(values.texts ? { RANDOM_TEXTS: "1" } : {}),
  };
  return show(nodeProgram("playwright"), [...playwright, "randomScenarios"], { env });
});
