import { spawn, spawnSync } from "node:child_process";
import { platform } from "node:os";
import { root } from "./paths.mjs";

/** A failure that the reader can act on: its message is all that is printed. */
export class Told extends Error {
  /** What the failed program had printed as its result. */
  stdout = "";
}

const shellForCmdFiles = (command) => platform() === "win32" && command.endsWith(".cmd");

/** Runs to the end, keeps quiet, and answers with all that was printed; throws it when the command fails. */
export function run(command, args, { cwd = root, env = {}, input = "ignore", timeoutMs } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [input, "pipe", "pipe"],
      shell: shellForCmdFiles(command),
      timeout: timeoutMs,
    });
    let stdout = "";
    let all = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
      all += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      all += text;
    });
    child.on("error", (error) => reject(new Told(`${command}: ${error.message}`)));
    child.on("close", (status, signal) => {
      if (status === 0) resolve({ stdout, all });
      else
        reject(
          Object.assign(new Told(`${command} ${args.join(" ")} ended with ${signal ?? status}\n${all}`), { stdout }),
        );
    });
  });
}

/** Runs with the reader's own terminal; answers with the exit status. */
export function show(command, args, { cwd = root, env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: "inherit",
      shell: shellForCmdFiles(command),
    });
    child.on("error", (error) => reject(new Told(`${command}: ${error.message}`)));
    child.on("close", (status, signal) => resolve(signal ? 1 : status));
  });
}

/** What a short question to a program prints, or null when it is not there or fails. */
export function ask(command, args, { cwd = root } = {}) {
  const answer = spawnSync(command, args, { cwd, encoding: "utf8", shell: shellForCmdFiles(command) });
  return answer.status === 0 ? answer.stdout.trim() : null;
}

/** One line about work that takes the reader's time. Never on stdout: that belongs to results. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Runs a script's main and turns what goes wrong into one message and a status. */
export async function main(body) {
  try {
    const status = await body(process.argv.slice(2));
    process.exitCode = typeof status === "number" ? status : 0;
  } catch (error) {
    say(error instanceof Told ? error.message : String(error?.stack ?? error));
    process.exitCode = 1;
  }
}
