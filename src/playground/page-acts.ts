import { click } from './click.ts';
import type { Entries, Entry } from './input-state.ts';
import { isJson, type Json } from './json.ts';
import { openHome } from './open-home.ts';
import type { PlaceName } from './place.ts';
import { postAs } from './post-as.ts';
import { Refusal } from './refusal.ts';
import { requestOptions } from './request-options.ts';
import type { Stage } from './stage.ts';
import { closeView, submitView } from './submit-view.ts';
import { useShortcut } from './use-shortcut.ts';

/** What the page can ask for on behalf of the person who uses it, by name. */
export function pageActs(stage: Stage): Readonly<Record<string, (body: Json) => Promise<Json>>> {
  const element = (body: Json) => ({
    user: text(body, 'user'),
    place: placeOf(body.place),
    actionId: text(body, 'actionId'),
    ...(typeof body.blockId === 'string' ? { blockId: body.blockId } : {}),
  });
  return {
    async post(body) {
      const threadTs = body.threadTs === undefined ? {} : { threadTs: text(body, 'threadTs') };
      await postAs(stage, {
        user: text(body, 'user'),
        channel: text(body, 'channel'),
        text: text(body, 'text'),
        ...threadTs,
      });
      return {};
    },
    async click(body) {
      const entry = entryOf(body.entry);
      const { outcome } = await click(stage, { ...element(body), ...(entry === undefined ? {} : { entry }) });
      return { outcome };
    },
    async submit(body) {
      const viewId = text(body, 'viewId');
      const { errors } = await submitView(stage, {
        user: text(body, 'user'),
        viewId,
        entries: entriesOf(body.entries),
      });
      return { errors };
    },
    async close(body) {
      await closeView(stage, text(body, 'user'));
      return {};
    },
    async home(body) {
      const { outcome } = await openHome(
        stage,
        text(body, 'user'),
        body.tab === 'messages' ? 'messages' : 'home',
      );
      return { outcome };
    },
    async options(body) {
      return { ...(await requestOptions(stage, { ...element(body), query: text(body, 'query') })) };
    },
    async shortcut(body) {
      const place = body.message === undefined ? undefined : placeOf(body.message);
      const message = place && 'ts' in place ? { message: place } : {};
      const { outcome } = await useShortcut(stage, {
        user: text(body, 'user'),
        callbackId: text(body, 'callbackId'),
        ...message,
      });
      return { outcome };
    },
  };
}

function text(body: Json, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw new Refusal('invalid_arguments');
  return value;
}

function placeOf(value: unknown): PlaceName {
  if (!isJson(value)) throw new Refusal('invalid_arguments');
  return typeof value.viewId === 'string'
    ? { viewId: value.viewId }
    : { channel: text(value, 'channel'), ts: text(value, 'ts') };
}

function entryOf(value: unknown): Entry | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Refusal('invalid_arguments');
}

function entriesOf(value: unknown): Entries {
  if (!isJson(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, entryOf(entry) ?? null]));
}
