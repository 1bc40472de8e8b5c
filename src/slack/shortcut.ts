import type { ModalView } from '@slack/types';
import type { Message } from '../block-kit/message.ts';
import type { Person, Place } from './command.ts';

/** Somebody picked a shortcut; of a message shortcut with the message and its place. */
export interface Picked extends Person {
  readonly message: { readonly text: string; readonly ts: string; readonly place: Place } | null;
  /** Shows a modal to whoever picked it; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/** One shortcut, and the parts it works with; `id` is its `callback_id`, and the manifest declares it. */
export interface SlackShortcut<Parts> {
  readonly id: string;
  readonly type: 'global' | 'message';
  /** Messages only the one who picked it sees, in order; of a global one they come in the conversation with the app. */
  readonly run: (picked: Picked, parts: Parts) => Promise<readonly Message[]>;
}
