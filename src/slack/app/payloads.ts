import type { AnyMiddlewareArgs } from '@slack/bolt';
import type { Logger } from 'pino';
import { z } from 'zod';
import { respondAt } from './post-message.ts';

/** The place where the app is installed: in a workspace or, if `isOrgWide`, in all of an organization. */
export interface Installation {
  readonly team: string | null;
  readonly enterprise: string | null;
  readonly isOrgWide: boolean;
  /** The bot that posts its messages and opens its modals, as Slack names it in either. */
  readonly botUserId: string;
  readonly botId: string;
}

const optionalId = z.string().nullish();

/** The parts of a payload that name workspaces; each kind of payload has members of its own for it. */
const addressed = z.object({
  authorizations: z.array(z.object({ team_id: optionalId, enterprise_id: optionalId })).nullish(),
  context_team_id: optionalId,
  team_id: optionalId,
  context_enterprise_id: optionalId,
  enterprise_id: optionalId,
  team: z.object({ id: optionalId, enterprise_id: optionalId }).nullish(),
  enterprise: z.object({ id: optionalId }).nullish(),
  user: z.object({ team_id: optionalId }).nullish(),
  view: z.object({ app_installed_team_id: optionalId, bot_id: optionalId }).nullish(),
  message: z.object({ team: optionalId, user: optionalId }).nullish(),
});

/**
 * True if Slack sent something for this installation of the app, and not for one in another workspace: both are signed
 * with the same secret. In a channel shared with another organization the person, and also the place, may be foreign:
 * what counts is the installation that Slack names or, for a click or a modal, whose message or modal it is.
 */
export function isForInstallation(body: unknown, own: Installation): boolean {
  const { data: sent } = addressed.safeParse(body);
  if (sent === undefined) return false;
  return isOfOwnBot(sent, own) || (own.isOrgWide ? isInOrganization(sent, own) : isInWorkspace(sent, own));
}

type Addressed = z.infer<typeof addressed>;

function isOfOwnBot({ message, view }: Addressed, { botUserId, botId }: Installation): boolean {
  return (botUserId !== '' && message?.user === botUserId) || (botId !== '' && view?.bot_id === botId);
}

function isInOrganization(sent: Addressed, own: Installation): boolean {
  const authorized = idsOf(sent, 'enterprise_id');
  const enterprise =
    sent.context_enterprise_id ?? sent.enterprise_id ?? sent.enterprise?.id ?? sent.team?.enterprise_id;
  const organizations = authorized.length > 0 ? authorized : [enterprise];
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

/** Texts for a person in another workspace, and for everyone while Slack has not said yet which workspace is ours. */
export const notAnswered = {
  elsewhere: "Dwell isn't set up for this workspace. Ask in the workspace where it is installed.",
  unknown: "Dwell isn't connected to Slack yet. Try again later.",
};

const clicked = z.object({ response_url: z.string().min(1) });

/**
 * Acknowledges what is not for this installation, so that Slack neither repeats it nor shows an error. The person reads why
 * where Slack says how to reach them: of a click on a message that only one person sees, it does not show the message, so a
 * person of another organization can be refused on one of ours.
 */
export async function refuseForeign(args: AnyMiddlewareArgs, text: string, log: Logger): Promise<void> {
  if ('command' in args) return args.ack({ response_type: 'ephemeral', text });
  if ('options' in args) return args.ack({ options: [] });
  if ('ack' in args) await args.ack?.();
  const { data } = clicked.safeParse(args.body);
  if (data === undefined) return;
  await respondAt(data.response_url)({ response_type: 'ephemeral', replace_original: false, text }).catch(
    (error: unknown) => log.warn({ err: error }, 'a response URL did not take why a click is not answered'),
  );
}

/** The origin of a payload of Slack: its kind, such as `command`, and its name out of the lists of the door; null: none of them. */
export interface SlackTrigger {
  readonly trigger: 'command' | 'action' | 'modal' | 'menu' | 'shortcut' | 'event';
  readonly name: string | null;
}

const named = z.string().optional().catch(undefined);

const payload = z.object({
  command: named,
  type: named,
  callback_id: named,
  action_id: named,
  actions: z
    .array(z.object({ action_id: named }))
    .optional()
    .catch(undefined),
  view: z.object({ callback_id: named }).optional().catch(undefined),
  event: z.object({ type: named }).optional().catch(undefined),
});

/** The trigger of a payload, whose name is only one of `known`: what is counted by it must be few. */
export function triggerOf(body: unknown, known: ReadonlySet<string>): SlackTrigger {
  const { data = {} } = payload.safeParse(body);
  const [trigger, name = ''] = namedTrigger(data);
  const id = name.split(':')[0] ?? '';
  return { trigger, name: known.has(id) ? id : null };
}

function namedTrigger(
  sent: Partial<z.output<typeof payload>>,
): readonly [SlackTrigger['trigger'], string | undefined] {
  if (sent.command !== undefined) return ['command', sent.command];
  switch (sent.type) {
    case 'block_actions':
      return ['action', sent.actions?.[0]?.action_id];
    case 'view_submission':
    case 'view_closed':
      return ['modal', sent.view?.callback_id];
    case 'block_suggestion':
      return ['menu', sent.action_id];
    case 'shortcut':
    case 'message_action':
      return ['shortcut', sent.callback_id];
    default:
      return ['event', sent.event?.type];
  }
}

const senders = z.union([
  z.object({ user_id: z.string() }).transform(({ user_id: account }) => account),
  z.object({ user: z.object({ id: z.string() }) }).transform(({ user }) => user.id),
  z.object({ event: z.object({ user: z.string() }) }).transform(({ event }) => event.user),
]);

/** The account in something that Slack sends: of a command, a click, a form or an event; null where it names none. */
export function accountIn(body: unknown): string | null {
  return senders.safeParse(body).data ?? null;
}
