import type { ModalView } from '@slack/types';
import type { Message } from '../block-kit/message.ts';
import type { Person, Place } from './command.ts';
import type { Inputs } from './modal.ts';

/** The modal or the Home tab in which somebody clicked. */
export interface ClickedView extends Inputs {
  readonly kind: 'modal' | 'home';
  readonly id: string;
  /** The `private_metadata` it carries. */
  readonly metadata: string;
  /** Shows a modal anew; one that was closed meanwhile stays closed. */
  replace(view: ModalView): Promise<void>;
}

/** A click on a button, or a choice in a menu: by whom, what it carries, and where it was. */
export interface Click extends Person {
  /** Of a button what it carries, of a menu what was chosen: an option's value, an account, a channel, a date. */
  readonly value: string;
  /** In a view, which stands in no channel, the conversation of who clicked with the app, by their account. */
  readonly place: Place;
  /** Empty in a view. */
  readonly messageTs: string;
  /** How long the message has stood there when the button was pressed; 0 in a view. */
  readonly messageAgeMs: number;
  /** Null where it was in a message. */
  readonly view: ClickedView | null;
  /** Makes the message another one that nobody but who clicked sees; null where others see it, and in a view. */
  readonly replace: ((message: Message) => Promise<void>) | null;
  /** Shows a modal to whoever clicked, above the one they clicked in; good for three seconds. */
  open(view: ModalView): Promise<void>;
}

/** One kind of button or menu, and the parts it works with; `id` is its `action_id`. */
export interface SlackAction<Parts> {
  readonly id: string;
  /**
   * Messages only the one who clicked sees, in order; at most five. Where the click was in a view they come in the
   * conversation with the app.
   */
  readonly run: (click: Click, parts: Parts) => Promise<readonly Message[]>;
}
