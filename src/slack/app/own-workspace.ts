import type { AnyMiddlewareArgs } from '@slack/bolt';
import { z } from 'zod';

/** Where the app is installed: in a workspace or, if `isOrgWide`, in all of an organization. */
export interface Installation {
  readonly team: string | null;
  readonly enterprise: string | null;
  readonly isOrgWide: boolean;
  /** Who posts its messages. */
  readonly botUserId: string;
}

const id = z.string().nullish();

/** What Slack says of workspaces beside what it sends: each kind of payload in members of its own. */
const addressed = z.object({
  authorizations: z.array(z.object({ team_id: id, enterprise_id: id })).nullish(),
  context_team_id: id,
  team_id: id,
  context_enterprise_id: id,
  enterprise_id: id,
  team: z.object({ id, enterprise_id: id }).nullish(),
  enterprise: z.object({ id }).nullish(),
  user: z.object({ team_id: id, enterprise_id: id }).nullish(),
  view: z.object({ app_installed_team_id: id }).nullish(),
  message: z.object({ team: id, user: id }).nullish(),
});

/**
 * Whether Slack sent something for this installation of the app, and not for one in another workspace: both are signed
 * with the same secret. In a channel shared with another organization the person, and also the place, may be foreign: what
 * counts is the installation that Slack names or, for a click, whose message it is on.
 */
export function isForInstallation(body: unknown, own: Installation): boolean {
  const { data: sent } = addressed.safeParse(body);
  if (sent === undefined) return false;
  return (
    isOnOwnMessage(sent, own) || (own.isOrgWide ? isInOrganization(sent, own) : isInWorkspace(sent, own))
  );
}

type Addressed = z.infer<typeof addressed>;

function isOnOwnMessage({ message }: Addressed, { botUserId }: Installation): boolean {
  return botUserId !== '' && message?.user === botUserId;
}

function isInOrganization(sent: Addressed, own: Installation): boolean {
  const { team, user } = sent;
  const authorized = idsOf(sent, 'enterprise_id');
  // A modal that somebody from elsewhere has opened names the whole organization.
  const installed = sent.view?.app_installed_team_id;
  const enterprise =
    sent.context_enterprise_id ??
    sent.enterprise_id ??
    sent.enterprise?.id ??
    team?.enterprise_id ??
    user?.enterprise_id;
  const organizations = authorized.length > 0 ? authorized : [enterprise, installed];
  return own.enterprise !== null && organizations.includes(own.enterprise);
}

function isInWorkspace(sent: Addressed, own: Installation): boolean {
  const { team, user, view, message } = sent;
  const authorized = idsOf(sent, 'team_id');
  const named = view?.app_installed_team_id ?? sent.context_team_id ?? sent.team_id;
  // Only where the app is installed in a whole organization an interaction has no workspace.
  const others = named == null ? [team?.id ?? user?.team_id, message?.team] : [named];
  const teams = authorized.length > 0 ? authorized : others;
  return own.team !== null && teams.includes(own.team);
}

/** The installations that Slack names for an event; it can name several. */
function idsOf({ authorizations }: Addressed, name: 'team_id' | 'enterprise_id'): readonly string[] {
  return (authorizations ?? []).flatMap((one) => one[name] ?? []);
}

/** What a person reads who is in another workspace, and while Slack has not said yet which one is ours. */
export const notAnswered = {
  elsewhere: "Dwell isn't set up for this workspace. Ask in the workspace where it is installed.",
  unknown: "Dwell isn't connected to Slack yet. Try again later.",
};

/** Acknowledges what is not answered, so that Slack neither repeats it nor shows an error. */
export async function acknowledgeOnly(args: AnyMiddlewareArgs, text: string): Promise<void> {
  if ('command' in args) await args.ack({ response_type: 'ephemeral', text });
  else if ('options' in args) await args.ack({ options: [] });
  else if ('ack' in args) await args.ack?.();
}
