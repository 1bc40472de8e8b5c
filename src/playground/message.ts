import type { Json } from './json.ts';

/** A file that was uploaded and shared. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly size: number;
  readonly created: number;
  readonly user: string;
  readonly altText?: string;
  readonly content: Buffer;
}

/** One message as the workspace keeps it. */
export interface Message {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly files?: readonly SlackFile[];
  readonly threadTs?: string;
  /** What the app told Slack about it, which people do not see. */
  readonly metadata?: Json;
  /** What the app shows below links in it, by link. */
  readonly unfurls?: Readonly<Record<string, readonly Json[]>>;
  readonly edited?: boolean;
  /** Written by the app rather than by a person. */
  readonly byApp: boolean;
  /** Written by Slack itself, such as "not a valid command". */
  readonly bySlackbot?: boolean;
  /** The command this answers in the open, with who typed it: Slack shows that line above the answer. */
  readonly answers?: { readonly user: string; readonly text: string };
  /** Ephemeral: seen by this person only. */
  readonly onlyFor?: string;
}

/** Something the people who look at the workspace should notice. */
export type Change =
  | { readonly kind: 'message' | 'updated' | 'deleted'; readonly message: Message }
  | { readonly kind: 'modals' | 'home'; readonly user: string }
  | { readonly kind: 'notice'; readonly user: string; readonly text: string };

/** What the app gave for a new message. */
export interface Draft {
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly files?: readonly SlackFile[];
  readonly threadTs?: string;
  readonly metadata?: Json;
  readonly onlyFor?: string;
  readonly answers?: { readonly user: string; readonly text: string };
}
