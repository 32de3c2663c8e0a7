/**
 * The keys of a menu, as one table that runs in every browser: what is pressed while the button "Theme and colours" has
 * the focus and the menu is closed, and where the focus is then: an item by its words, or null, on the button. What was
 * chosen is where the next menu opens.
 */
export const button = "Theme and colours";

export const rows = [
  { keys: ["Enter"], at: "As the system" },
  { keys: [" "], at: "As the system" },
  { keys: ["ArrowDown"], at: "As the system" },
  { keys: ["ArrowUp"], at: "As the system" },
  { keys: ["Enter", "ArrowDown"], at: "Light" },
  { keys: ["Enter", "ArrowDown", "ArrowDown", "ArrowUp"], at: "Light" },
  { keys: ["Enter", "ArrowUp"], at: "OEM classic" },
  { keys: ["Enter", "End"], at: "OEM classic" },
  { keys: ["Enter", "End", "ArrowDown"], at: "As the system" },
  { keys: ["Enter", "End", "Home"], at: "As the system" },
  { keys: ["Enter", "PageDown"], at: "OEM classic" },
  { keys: ["Enter", "End", "PageUp"], at: "As the system" },
  { keys: ["Enter", "d"], at: "Dark" },
  { keys: ["Enter", "p"], at: "Projector" },
  { keys: ["Enter", "t"], at: "Told apart by everyone" },
  { keys: ["Enter", "z"], at: "As the system" },
  { keys: ["Enter", "p", "r", "o"], at: "Projector" },
  { keys: ["Enter", "o", "e"], at: "OEM classic" },
  { keys: ["Enter", "d", "p"], at: "Dark" },
  { keys: ["Escape"], at: null },
  { keys: ["Enter", "Escape"], at: null },
  { keys: ["Enter", "End", "Escape"], at: null },
  { keys: ["Enter", "ArrowDown", "Tab"], at: null },
  { keys: ["Enter", "Escape", "ArrowDown"], at: "As the system" },
  { keys: ["Enter", "ArrowDown", "Enter"], at: null },
  { keys: ["Enter"], at: "Light" },
  { keys: ["Enter", "d", " "], at: null },
  { keys: ["Enter"], at: "Dark" },
  { keys: ["Enter", "Home", "Enter"], at: null },
  { keys: [" "], at: "As the system" },
];

/** In the page: where the focus is. */
export function lookAtMenu(label) {
  const active = document.activeElement;
  const isOnButton = active?.getAttribute("aria-label") === label;
  const menu = document.querySelector("[role=menu]");
  const isOpen = menu?.matches(":popover-open") ?? false;
  const button = document.querySelector(`button[aria-label="${label}"]`);
  const isSaid = button?.getAttribute("aria-expanded") === "true";
  // The platform knows whose menu it is: a press there is none elsewhere, and the menu is next in the order of Tab.
  const isOfButton = menu !== null && button?.popoverTargetElement === menu;
  return { at: isOnButton ? null : (active?.textContent ?? ""), isOpen, isSaid, isOfButton };
}

/** What is to be seen after a row's keys. */
export function expected({ at }) {
  return { at, isOpen: at !== null, isSaid: at !== null, isOfButton: at !== null };
}

/**
 * In the page: counts from now on how often something is given the focus, and how many things are. The page is kept
 * busy: it hears several keys between one frame and the next.
 */
export function countFocus() {
  setInterval(() => {
    for (const since = performance.now(); performance.now() - since < 150; );
  }, 200);
  window.focused = { times: 0, places: new Set() };
  document.addEventListener("focusin", ({ target }) => {
    window.focused.times++;
    window.focused.places.add(target);
  }, true);
}

export const focusCount = () => ({ times: window.focused.times, places: window.focused.places.size });

/** Holds Tab as a keyboard does, which waits for no page; answers with how many presses that made. */
export async function holdTab(press, seconds) {
  const pressed = [];
  for (const since = Date.now(); Date.now() - since < 1000 * seconds; ) {
    pressed.push(press());
    await new Promise((resolve) => setTimeout(resolve, 33));
  }
  await Promise.all(pressed);
  return pressed.length;
}

/** A page on which much is computed while keys come. */
export const busy = "#v1/instance-caging-vm?lio_per_transaction=1000&precision=0.001";
