import { openEngine } from "../testing/directEngine";
import { checkEngine } from "../testing/engineContract";

checkEngine("the engine in the same thread", () => openEngine(), "instance-caging-vm");
