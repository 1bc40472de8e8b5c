import { draftOf } from './draft.ts';
import type { Json } from './json.ts';
import type { Message } from './message.ts';
import { Refusal } from './refusal.ts';
import type { ResponseTarget } from './response-urls.ts';
import type { Workspace } from './workspace.ts';

/** Does what an app answers, in an acknowledgement or through a response URL. */
export function applyResponse(workspace: Workspace, target: ResponseTarget, answer: Json): void {
  const original = target.original && workspace.find(target.original.channel, target.original.ts);
  if (isTrue(answer.delete_original)) {
    workspace.remove(existing(original));
    return;
  }
  const text = answer.text === undefined ? undefined : String(answer.text);
  const draft = draftOf(text === '' ? undefined : text, answer.blocks);
  if (isTrue(answer.replace_original) && target.original) {
    workspace.replace(existing(original), draft);
    return;
  }
  const inChannel = answer.response_type === 'in_channel';
  const threadTs = typeof answer.thread_ts === 'string' ? { threadTs: answer.thread_ts } : {};
  const answers =
    target.command === undefined ? {} : { answers: { user: target.user, text: target.command } };
  workspace.post(target.channel, {
    ...draft,
    ...threadTs,
    ...(inChannel ? answers : { onlyFor: target.user }),
  });
}

function existing(message: Message | undefined): Message {
  if (!message) throw new Refusal('message_not_found');
  return message;
}

/** Slack takes the word for the value here. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
