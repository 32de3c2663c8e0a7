import { fakeWasm } from "../testing/fakeWasm";
import { checkEngine } from "../testing/engineContract";
import { DirectEngine } from "./directEngine";

checkEngine(
  "the engine in the same thread",
  () =>
    new DirectEngine({
      module: fakeWasm,
      nextFrame: (callback) => void setTimeout(callback, 1),
      now: () => performance.now(),
      yieldTo: (next) => void setImmediate(next),
    }),
  "instance-caging-vm",
);
