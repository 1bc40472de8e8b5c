import { allowProjects, forbidProjects } from '../../api/channels/create-channels.ts';
import type { AllowedProject } from '../../model/chat.ts';
import type { Principal } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { SlackParts } from '../parts.ts';
import type { AudienceChange } from './read-audience-words.ts';

/** Changes what a channel may read of, and tells its list then. A project the principal cannot see is not allowed by them. */
export async function changeAudience(
  change: Exclude<AudienceChange, { readonly verb: 'show' }>,
  {
    channel,
    account,
    principal,
  }: { readonly channel: string; readonly account: string; readonly principal: Principal },
  { channels, reporting }: Pick<SlackParts, 'channels' | 'reporting'>,
): Promise<readonly AllowedProject[] | null> {
  if (change.verb === 'allow') {
    for (const project of change.keys) {
      await reporting.check(
        ask({ principal, reportType: 'statusDuration', selection: { by: 'project', project } }),
      );
    }
  }
  const { projects: kept } = await channels.channel(channel);
  const { projects } = await channels.changeChannel(channel, { projects: listAfter(change, kept) }, account);
  return projects;
}

function listAfter(
  change: Parameters<typeof changeAudience>[0],
  kept: readonly AllowedProject[] | null,
): readonly AllowedProject[] | null {
  switch (change.verb) {
    case 'reset':
      return null;
    case 'allow':
      return allowProjects(kept, change.keys, change.withGuests);
    case 'forbid':
      return forbidProjects(kept, change.keys);
  }
}
