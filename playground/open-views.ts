import { checkView } from '../src/slack/blocks/check-blocks.ts';
import { limits } from '../src/slack/blocks/limits.ts';
import { fillIds } from './block-elements.ts';
import type { Cause } from './interaction-grants.ts';
import { isJson, type Json, objectsOf, problemsRefusal, Refusal } from './slack-json.ts';
import type { Workspace } from './workspace.ts';

/** A view as Slack keeps it and sends it. */
export interface View extends Json {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly hash: string;
  readonly blocks: readonly Json[];
  readonly callback_id: string;
  readonly external_id: string;
  readonly private_metadata: string;
  readonly root_view_id: string;
  readonly previous_view_id: string | null;
}

/** The modals and Home tabs people have open. */
export type Views = ReturnType<typeof createViews>;

/** Slack stacks at most three modals. */
const MAX_STACK = 3;

/** No modal and no Home tab open. */
export function createViews(
  workspace: Workspace,
  app: { id: string; botId: string },
  teamId: string,
  newId: () => string,
) {
  /** By person and window: each window of a browser has modals of its own. */
  const stacks = new Map<string, View[]>();
  const homes = new Map<string, View>();
  const nameOf = ({ user, tab }: Cause) => `${user} ${tab}`;
  const stackOf = (user: string, tab = '') => stacks.get(nameOf({ user, tab })) ?? [];

  function build(given: unknown, type: 'modal' | 'home', fixed: Partial<View>): View {
    if (isJson(given) && given.type !== type)
      throw problemsRefusal('invalid_arguments', [{ path: '/view/type', message: `must be ${type}` }]);
    const problems = checkView(given).map(({ path, message }) => ({ path: `/view${path}`, message }));
    if (problems.length > 0 || !isJson(given)) throw problemsRefusal('invalid_arguments', problems);
    if (Buffer.byteLength(JSON.stringify(given)) > limits.viewBytes) throw new Refusal('view_too_large');
    const id = fixed.id ?? `V${newId().slice(0, 10)}`;
    return {
      team_id: teamId,
      app_id: app.id,
      bot_id: app.botId,
      app_installed_team_id: teamId,
      title: null,
      submit: null,
      close: null,
      clear_on_close: false,
      notify_on_close: false,
      callback_id: '',
      external_id: '',
      private_metadata: '',
      ...given,
      type,
      blocks: fillIds(objectsOf(given.blocks), newId),
      state: { values: {} },
      previous_view_id: null,
      root_view_id: id,
      ...fixed,
      id,
      hash: `${workspace.nextTs()}.${newId().slice(0, 8)}`,
    };
  }

  function assertUnique(view: View): void {
    const others = [...stacks.values()].flat().filter(({ id }) => id !== view.id);
    if (view.external_id !== '' && others.some((other) => other.external_id === view.external_id))
      throw new Refusal('duplicate_external_id');
  }

  function set(cause: Cause, stack: View[]): void {
    stacks.set(nameOf(cause), stack);
    workspace.notify({ kind: 'modals', user: cause.user });
  }

  return {
    stackOf,
    homeOf: (user: string) => homes.get(user),
    /** A view of a person, in whatever window. */
    find(user: string, id: string): View | undefined {
      const own = [...stacks].flatMap(([name, stack]) => (name.startsWith(`${user} `) ? stack : []));
      const home = homes.get(user);
      return own.find((view) => view.id === id) ?? (home?.id === id ? home : undefined);
    },

    open(cause: Cause, given: unknown): View {
      const view = build(given, 'modal', {});
      assertUnique(view);
      set(cause, [view]);
      return view;
    },

    push(cause: Cause, given: unknown): View {
      const stack = stackOf(cause.user, cause.tab);
      const top = stack.at(-1);
      if (!top) throw new Refusal('not_found');
      if (stack.length >= MAX_STACK) throw new Refusal('push_limit_reached');
      const view = build(given, 'modal', { previous_view_id: top.id, root_view_id: top.root_view_id });
      assertUnique(view);
      set(cause, [...stack, view]);
      return view;
    },

    /** Changes one open modal, named by its id or by the app's own `external_id`. */
    update(wanted: { id?: string; externalId?: string; hash?: string }, given: unknown): View {
      for (const [name, stack] of stacks) {
        const index = stack.findIndex(({ id, external_id }) =>
          wanted.id === undefined
            ? external_id !== '' && external_id === wanted.externalId
            : id === wanted.id,
        );
        const old = stack[index];
        if (!old) continue;
        if (wanted.hash !== undefined && wanted.hash !== old.hash) throw new Refusal('hash_conflict');
        const { id, previous_view_id, root_view_id } = old;
        const view = build(given, 'modal', { id, previous_view_id, root_view_id });
        const [user = '', tab = ''] = name.split(' ');
        set({ user, tab }, stack.with(index, view));
        return view;
      }
      throw new Refusal('not_found');
    },

    publish(user: string, given: unknown, hash: string | undefined): View {
      const old = homes.get(user);
      if (hash !== undefined && old && hash !== old.hash) throw new Refusal('hash_conflict');
      const view = build(given, 'home', old ? { id: old.id } : {});
      homes.set(user, view);
      workspace.notify({ kind: 'home', user });
      return view;
    },

    /** Takes the topmost modal away, or all of them. */
    close(cause: Cause, every = false): void {
      set(cause, every ? [] : stackOf(cause.user, cause.tab).slice(0, -1));
    },
  };
}
