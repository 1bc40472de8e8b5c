import type { IsClosed } from '../../api/access-rules.ts';
import { codeText } from '../../block-kit/code-text.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { AllowedProject } from '../../model/chat.ts';
import type { Outsiders } from './outsiders.ts';
import type { Allowing } from './who-allows.ts';

/** More keys nobody reads in a line. */
const SHOWN = 30;

/** What a channel may read of. */
export interface Audience {
  /** Null: no admin has said. */
  readonly projects: readonly AllowedProject[] | null;
  readonly outsiders: Outsiders;
  /** The tracker itself says what each person may see, and nothing of channels. */
  readonly byTracker: boolean;
  /** Who can say what it may read of. */
  readonly allowing: Allowing;
}

/** What a channel may read of, for somebody to whom some projects are closed (null: none), in whole sentences (mrkdwn). */
export function audienceText(
  { projects, outsiders, byTracker, allowing }: Audience,
  isClosed: IsClosed | null,
): readonly string[] {
  if (projects !== null) return [listText(projects, isClosed), outsidersText(outsiders)];
  return [byTracker ? shutText(allowing) : openText, outsidersText(outsiders)];
}

function shutText({ who, line }: Allowing): string {
  return `No admin has said what this channel may read of, so I share nothing: the tracker itself decides who may see what. ${who} says it with ${line(['PROJECT'], false)}.`;
}

const openText =
  'No admin has said what this channel may read of, so I share only what everybody who may ask may see, and nothing where guests or other workspaces read.';

function listText(projects: readonly AllowedProject[], isClosed: IsClosed | null): string {
  if (projects.length === 0) return 'This channel may read of no project.';
  const shown = projects.filter(({ key }) => !isClosed?.(key));
  const names = shown.map(({ key, withGuests }) => `${codeText(key)}${withGuests ? ' (with guests)' : ''}`);
  const unseen = projects.length - shown.length;
  const rest = unseen === 0 ? [] : [`${unseen} ${unseen === 1 ? 'project' : 'projects'} you cannot see`];
  const parts = [...(names.length === 0 ? [] : [someOf(names, SHOWN)]), ...rest];
  return `This channel may read of ${parts.join(', and of ')}.`;
}

function outsidersText(outsiders: Outsiders): string {
  switch (outsiders.kind) {
    case 'none':
      return 'Only people of this workspace read here.';
    case 'some':
      return `This channel ${outsiders.what}.`;
    case 'unknown':
      return `I do not know whether guests can read this channel. ${outsiders.because}`;
  }
}
