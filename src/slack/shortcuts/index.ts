import type { SlackShortcut } from '../shortcut.ts';

/** Every shortcut; a new one is one file, one line here, and an entry in the manifest. */
export const shortcuts: readonly SlackShortcut[] = [];
