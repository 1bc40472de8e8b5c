import { codeText, lineText } from '../../block-kit/code-text.ts';
import { someOf } from '../../block-kit/some-of.ts';
import type { IsClosed } from '../../issues/browse-scope.ts';
import type { AllowedProject } from '../../model/chat.ts';
import type { BrowseScope } from '../../model/permissions.ts';
import { type Principal, principalIn } from '../../model/principal.ts';
import type { Outsiders } from '../app/ports.ts';

/** Who says what a channel may read of, as a sentence begins with them, and the line (mrkdwn) they type for it. */
export interface Allowing {
  readonly who: string;
  line(keys: readonly string[], withGuests: boolean): string;
}

/** So many keys fit well into a line that is to be typed. */
const TYPED = 20;

/** An admin of the tracker, in the channel; where the tracker tells of none the command line does their work. */
export function whoAllows(channel: string, hasAdmins: boolean): Allowing {
  const typed = (keys: readonly string[]) => keys.length > 0 && keys.length <= TYPED;
  if (hasAdmins) {
    return {
      who: 'An admin of the tracker',
      line(keys, withGuests) {
        const list = typed(keys) ? keys.join(',') : 'PROJECT,PROJECT';
        return lineText(`/tis audience allow ${list}${withGuests ? ' with guests' : ''}`);
      },
    };
  }
  return {
    who: 'Whoever runs Dwell',
    line: (keys, withGuests) =>
      lineText(
        audienceLine(
          { verb: 'allow', keys: typed(keys) ? keys : ['PROJECT', 'PROJECT'], withGuests },
          channel,
        ),
      ),
  };
}

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

/** Nobody in particular: what they may see is open to everybody who may ask; nothing is where the tracker itself decides. */
export function anybodyIn({ tenant }: { readonly tenant: string }): Principal {
  return principalIn(tenant, '');
}

/** Whether who sees so far, anybody say, sees what the tracker itself lets them. */
export function trackerDecides(scope: BrowseScope): boolean {
  return 'openProjects' in scope;
}

/** What is typed on the command line to change what a channel may read of. */
export function audienceLine(
  change: Exclude<AudienceChange, { readonly verb: 'show' }>,
  channel: string,
): string {
  const keys = 'keys' in change ? ` ${change.keys.join(' ')}` : '';
  const guests = 'withGuests' in change && change.withGuests ? ' --with-guests' : '';
  return `npm run --silent dwell -- audience ${channel} ${change.verb}${keys}${guests}`;
}

/** What somebody wants of a channel's list of projects. */
export type AudienceChange =
  | { readonly verb: 'show' }
  | { readonly verb: 'reset' }
  | { readonly verb: 'allow'; readonly keys: readonly string[]; readonly withGuests: boolean }
  | { readonly verb: 'forbid'; readonly keys: readonly string[] };
