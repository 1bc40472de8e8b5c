import type { ModalView } from '@slack/types';
import type { DoorParts, Person, Place } from './command.ts';
import type { Message } from './message.ts';

/** A click on a button: by whom, what the button carries, and the message it is part of. */
export interface Click extends Person {
  readonly value: string;
  readonly place: Place;
  readonly messageTs: string;
  /** How long the message has stood there when the button was pressed. */
  readonly messageAgeMs: number;
  /** Shows a modal to whoever clicked; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/** One kind of button; `id` is its `action_id`. */
export interface SlackAction {
  readonly id: string;
  /** Messages only the one who clicked sees, in order; at most five. */
  run(click: Click, parts: DoorParts): Promise<readonly Message[]>;
}
