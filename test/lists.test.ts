import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, test } from '#jest';
import { questionKinds } from '../src/api/answers/index.ts';
import { commands as cliCommands } from '../src/cli/commands/index.ts';
import { checks } from '../src/compose/doctor/checks/index.ts';
import { manifestFor } from '../src/compose/manifest.ts';
import { settingsSchema } from '../src/compose/settings-schema.ts';
import { reports } from '../src/engine/reports/index.ts';
import { routes } from '../src/http/resources/index.ts';
import { reportIds } from '../src/model/report-ids.ts';
import { questionViews } from '../src/slack/answers/index.ts';
import { capitalized } from '../src/slack/app/show-failure.ts';
import { helpTopic } from '../src/slack/ask/help.ts';
import { suggestedOf } from '../src/slack/ask/plain/whole-sentences.ts';
import { scopeUses } from '../src/slack/channels/status.ts';
import { actions, menus, modals, shortcuts, commands as slackCommands } from '../src/slack/entries.ts';
import { trackers } from '../src/trackers/index.ts';
import { withGenerated } from './support/generated-page.ts';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** A page of docs/; a bar within a table cell is escaped there. */
const page = (name: string) => readFileSync(root(`docs/${name}.md`), 'utf8').replaceAll('\\|', '|');
const manifestText = readFileSync(root('manifest.yml'), 'utf8');
const manifest = parse(manifestText);
/** The manifest with all that belongs to the agent conversation uncommented. */
const withAgent = parse(
  manifestText.replaceAll(
    /^( *)# (agent_view:| +(?:agent_description|suggested_prompts|- title|message):|- assistant:write|- app_context_changed)/gm,
    '$1$2',
  ),
);

const kindWords = new Set<string | null>(
  questionViews.flatMap(({ commands }) => commands.map(({ word }) => word)),
);

describe.each([
  ['src/engine/reports', reports],
  ['src/http/resources', routes],
  ['src/cli/commands', cliCommands],
  ['src/compose/doctor/checks', checks],
] as [string, readonly unknown[]][])('the list of %s', (folder, list) => {
  test('holds what the files of its folder export for it, each once', async () => {
    const files = readdirSync(root(folder)).filter((file) => file.endsWith('.ts') && file !== 'index.ts');
    const exported = await Promise.all(
      files.map(async (file) => Object.values(await import(`../${folder}/${file}`)) as unknown[]),
    );
    const keys = list.map((entry) => new Set(Object.keys(entry as object)));
    const common = [...(keys[0] ?? [])].filter((key) => keys.every((one) => one.has(key)));
    const isEntry = (value: unknown) =>
      typeof value === 'object' && value !== null && common.every((key) => key in value);
    // A file may export its entries one by one, or as a list.
    const entries = exported.map((values) => values.flat().filter(isEntry));
    expect(entries.flat().filter((entry) => !list.includes(entry))).toEqual([]);
    for (const found of entries) expect(found).not.toHaveLength(0);
    expect(list).toHaveLength(entries.flat().length);
    expect(new Set(list).size).toBe(list.length);
  });
});

test('ids of report types are strings in one place, which names each of them', () => {
  const ids = reports.map(({ id }) => id);
  expect(Object.values(reportIds).toSorted()).toEqual(ids.toSorted());
  const files = readdirSync(root('src'), { recursive: true, encoding: 'utf8' }).filter(
    // A column of rows is called `statusCount`, too.
    (file) =>
      file.endsWith('.ts') && !['model/report-ids.ts', 'engine/columns/column-arrays.ts'].includes(file),
  );
  const named = files.filter((file) => {
    const text = readFileSync(root(`src/${file}`), 'utf8');
    return ids.some((id) => text.includes(`'${id}'`) || new RegExp(`^\\s*${id}:`, 'm').test(text));
  });
  expect(named).toEqual([]);
});

describe.each([
  ['SlashCommand', slackCommands.filter(({ root, word }) => root !== '/tis' || !kindWords.has(word))],
  ['SlackAction', actions],
  ['SlackModal', modals],
  ['SlackMenu', menus],
  ['SlackShortcut', shortcuts],
] as [string, readonly unknown[]][])('the list of every %s of src/slack', (type, list) => {
  test('holds what the folders of its features export, each once', async () => {
    const files = readdirSync(root('src/slack'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.includes('/'),
    );
    const exported = await Promise.all(
      files
        .filter((file) => file.endsWith('.ts'))
        .map(async (file) => {
          const text = readFileSync(root(`src/slack/${file}`), 'utf8');
          const names = [...text.matchAll(new RegExp(`^export const (\\w+): (?:readonly )?${type}<`, 'gm'))];
          const module = names.length === 0 ? {} : await import(`../src/slack/${file}`);
          return names.flatMap(([, name = '']) => module[name]);
        }),
    );
    const nameOf = (entry: unknown) => JSON.stringify(entry);
    expect(exported.flat().map(nameOf).sort()).toEqual(list.map(nameOf).sort());
    expect(list.length).toBeGreaterThan(0);
    expect(new Set(list).size).toBe(list.length);
  });
});

test('every kind of question that a folder of src/api/answers exports is in the list and has a view, and each word of the views is a command', async () => {
  const files = readdirSync(root('src/api/answers'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('-kind.ts'),
  );
  const exported = await Promise.all(
    files.map(async (file) => Object.values(await import(`../src/api/answers/${file}`)) as unknown[]),
  );
  const isKind = (value: unknown) => typeof value === 'object' && value !== null && 'selections' in value;
  expect(new Set(questionKinds)).toEqual(new Set(exported.flat().filter(isKind)));
  expect(questionViews.map((view) => view.of)).toEqual(questionKinds);
  const words = questionViews.flatMap(({ commands }) => commands.map(({ word }) => word));
  const offered = new Set(slackCommands.filter(({ root }) => root === '/tis').map(({ word }) => word));
  expect(words.filter((word) => !offered.has(word))).toEqual([]);
});

test('the list of trackers holds each folder of src/trackers, each setting begins with the name of its tracker', () => {
  const folders = readdirSync(root('src/trackers'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  // The JSON of Jira is read from files as well.
  const owned = folders.filter((name) => name !== 'jira-json');
  expect(trackers.map(({ name }) => name).sort()).toEqual(owned.sort());
  for (const { name, settings } of trackers)
    for (const setting of Object.keys(settings))
      expect([name, setting.startsWith(`${name.toUpperCase()}_`)]).toEqual([name, true]);
  expect(settingsSchema.shape.TRACKER.unwrap().options).toEqual(trackers.map(({ name }) => name));
});

test('the manifest declares the slash commands that are answered', () => {
  const declared: { command: string }[] = manifest.features.slash_commands;
  expect(declared.map(({ command }) => command).sort()).toEqual(
    [...new Set(slackCommands.map((command) => command.root))].sort(),
  );
});

test('the five words that lead come first in the hint of /tis, which fits one line', () => {
  const declared: { command: string; usage_hint: string }[] = manifest.features.slash_commands;
  const hint = declared.find(({ command }) => command === '/tis')?.usage_hint ?? '';
  expect(hint.split(' | ').slice(0, 5)).toEqual(['KEY', 'weekly', 'aging', 'mine', 'digest']);
  expect(hint.length).toBeLessThanOrEqual(60);
  const words = new Set(slackCommands.filter(({ root }) => root === '/tis').map(({ word }) => word));
  expect(hint.split(' | ').filter((word) => word !== 'KEY' && !words.has(word))).toEqual([]);
});

test('the usage hints are no longer than Slack takes', () => {
  for (const { usage_hint: hint } of manifest.features.slash_commands)
    expect(hint.length).toBeLessThanOrEqual(1000);
});

test('the manifest declares the shortcuts that are answered', () => {
  const declared: { callback_id: string; type: string; name: string; description: string }[] =
    manifest.features.shortcuts;
  expect(declared.map(({ callback_id, type }) => [callback_id, type]).sort()).toEqual(
    shortcuts.map(({ id, type }) => [id, type]).sort(),
  );
  for (const { name, description } of declared) {
    expect(name.length).toBeLessThanOrEqual(24);
    expect(description.length).toBeLessThanOrEqual(150);
  }
});

test('the agent conversation is commented out together, and can be turned on together', () => {
  const [agent, plain] = [withAgent, manifest].map(({ features, oauth_config: oauth, settings }) => [
    'agent_view' in features,
    oauth.scopes.bot.includes('assistant:write'),
    settings.event_subscriptions.bot_events.includes('app_context_changed'),
  ]);
  expect([agent, plain]).toEqual([
    [true, true, true],
    [false, false, false],
  ]);
  // People can write to Dwell all the same.
  expect(manifest.features.app_home).toMatchObject({
    messages_tab_enabled: true,
    messages_tab_read_only_enabled: false,
  });
  expect(manifest.settings.event_subscriptions.bot_events).toContain('message.im');
});

test('Slack suggests the questions in plain words that are understood, as many as it takes', () => {
  const { agent_description: description, suggested_prompts: suggested } = withAgent.features.agent_view;
  expect(description.length).toBeLessThanOrEqual(300);
  const prompts = suggestedOf('WEB').map(({ label }) => label.replace(' in WEB', ''));
  expect(suggested).toEqual(prompts.map((prompt) => ({ title: prompt, message: prompt })));
  expect(prompts.length).toBeLessThanOrEqual(4);
  for (const { line } of suggestedOf('WEB')) expect(line).toMatch(/^\/(?:tis|delegates)\b/);
});

/** What Slack asks for each method, as its documentation tells; one of several suffices where each is for a kind of place. */
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  // Not before the manifest takes in what links need.
  'chat.unfurl': [],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'mpim:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read', 'mpim:read'],
  'conversations.members': ['channels:read', 'groups:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'mpim:history', 'im:history'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'users.lookupByEmail': ['users:read.email'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};

test('the manifest asks for the scopes of the methods that are called, and for no others', () => {
  const called = new Set(
    readdirSync(root('src/slack'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(root(`src/slack/${file}`), 'utf8');
        const found = text.matchAll(/\b(?:web|client)\s*\.(\w+)\s*\.(\w+)\(/g);
        return [...found].map(([, family, method]) => `${family}.${method}`);
      }),
  );
  expect([...called].filter((method) => !(method in scopesOf))).toEqual([]);
  const { bot, bot_optional: optional } = manifest.oauth_config.scopes;
  const heard = manifest.settings.event_subscriptions.bot_events.flatMap(
    (event: string) => scopeOf[event] ?? [],
  );
  // Commands and shortcuts call nothing.
  const needed = new Set(['commands', ...heard, ...[...called].flatMap((method) => scopesOf[method] ?? [])]);
  expect([...bot].sort()).toEqual([...needed].sort());
  // Slack: "must also be listed under bot".
  expect(optional.filter((scope: string) => !bot.includes(scope))).toEqual([]);
  expect(scopeUses.flatMap(({ scopes }) => scopes).sort()).toEqual([...bot].sort());
  const leftOut = scopeUses.filter(({ isOptional }) => isOptional).flatMap(({ scopes }) => scopes);
  expect(leftOut.sort()).toEqual([...optional].sort());
});

test('what links need is commented out together, and can be taken in together', () => {
  const links = ['links:read', 'links:write', 'link_shared'];
  const taken = parse(manifestText.replaceAll('# - link', '- link'));
  const asked = ({ oauth_config: { scopes }, settings: { event_subscriptions: events } }: typeof manifest) =>
    [...scopes.bot, ...events.bot_events].filter((name) => links.includes(name));
  expect(asked(manifest)).toEqual([]);
  expect(asked(taken)).toEqual(links);
});

/** What an event asks for; a scope that nobody has to grant is none of them. */
const scopeOf: Readonly<Record<string, string | null>> = {
  app_home_opened: null,
  app_mention: 'app_mentions:read',
  app_uninstalled: null,
  tokens_revoked: null,
  team_join: 'users:read',
  user_change: 'users:read',
  'message.im': 'im:history',
};

test('the manifest that installs as it is hears only of events that need none of the optional scopes', () => {
  const { bot_optional: optional } = manifest.oauth_config.scopes;
  for (const event of manifest.settings.event_subscriptions.bot_events) {
    expect(Object.keys(scopeOf)).toContain(event);
    expect(optional).not.toContain(scopeOf[event]);
  }
});

test('docs/slack.md has a row for what each scope is for, optional ones marked', () => {
  const rows = page('slack')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const { bot_optional: optional } = manifest.oauth_config.scopes;
  for (const { scopes } of scopeUses) {
    const [row = ''] = rows.filter((line) =>
      line.startsWith(`| ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`),
    );
    for (const scope of scopes) {
      expect(row.includes('(optional)')).toBe(optional.includes(scope));
    }
    expect(row.split(' | ').filter((cell) => cell.length > 3)).toHaveLength(3);
  }
});

test('the manifest for HTTP is that of Socket Mode with the addresses Slack calls, and nothing else', () => {
  expect(parse(manifestFor(null))).toEqual(manifest);
  const url = 'https://dwell.example/in/slack/events';
  const { features, settings } = manifest;
  const commands = features.slash_commands.map((command: object) => ({ ...command, url }));
  expect(parse(manifestFor('https://dwell.example/in'))).toEqual({
    ...manifest,
    features: { ...features, slash_commands: commands },
    settings: {
      ...settings,
      event_subscriptions: { ...settings.event_subscriptions, request_url: url },
      interactivity: { ...settings.interactivity, request_url: url, message_menu_options_url: url },
      socket_mode_enabled: false,
    },
  });
});

test('help names every command but those that the settings hold', () => {
  const lines = helpTopic(slackCommands, 'all', 'WEB-1').text.toLowerCase().split('\n');
  for (const { summary, isInSettings = false, root } of slackCommands) {
    const named = lines.some((line) => line.startsWith(`\`${root}`) && line.includes(summary.toLowerCase()));
    expect([summary, root, named]).toEqual([summary, root, !isInSettings]);
  }
});

test('docs/commands.md is written from the commands themselves (UPDATE=1 writes it)', () => {
  const written = ['/tis', '/delegates'].map((root) => {
    const own = slackCommands.filter((command) => command.root === root);
    const parts = own.map(({ usage, summary, details, examples = [] }) =>
      [
        `### \`${usage}\``,
        `${capitalized(summary)}.${details === undefined ? '' : ` ${details.replaceAll('\n', '\n\n')}`}`,
        ...(examples.length === 0 ? [] : [`\`\`\`text\n${examples.join('\n')}\n\`\`\``]),
      ].join('\n\n'),
    );
    return `## ${root}\n\n${parts.join('\n\n')}\n`;
  });
  const path = root('docs/commands.md');
  const present = readFileSync(path, 'utf8');
  const wanted = withGenerated(present, 'commands', written.join('\n'));
  if (process.env.UPDATE === '1') writeFileSync(path, wanted);
  expect(present).toBe(wanted);
});

test('docs/operations.md has every check of doctor in its order, and no others', () => {
  const [, section = ''] = page('operations').split('## Doctor');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| (\w[\w ]*) \| .+ \|$/gm)].map(([, name]) => name);
  expect(rows).toEqual(['Check', ...checks.map(({ name }) => name)]);
  for (const { name } of checks) expect(name.length).toBeLessThanOrEqual(12);
});

test('docs/cli.md has every command, and no others', () => {
  const sections = [...page('cli').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(cliCommands.map(({ name }) => name));
});

test('docs/cli.md has every option of every command', () => {
  const sections = page('cli').split(/^### /m);
  for (const { name, usage, options } of cliCommands) {
    const section = sections.find((one) => one.startsWith(`${name}\n`));
    for (const flags of Object.keys(options)) expect(section).toContain(`  ${flags} `);
    for (const [option] of usage.matchAll(/--[a-z-]+/g))
      expect(Object.keys(options).map((flags) => flags.split(' ')[0])).toContain(option);
  }
});

test('docs/rest.md has every route, docs/rest-reference.md each of its paths', () => {
  const [guide, reference] = [page('rest'), page('rest-reference')];
  for (const { paths } of routes) {
    for (const path of paths) expect(reference).toContain(path);
    const [collection] = paths[0].split(/\/(?::|search$|validate$)/);
    const [, last = ''] = /([^/]+)$/.exec(collection ?? '') ?? [];
    expect([collection, guide.includes(`${collection}`) || guide.includes(`…/${last}`)]).toEqual([
      collection,
      true,
    ]);
  }
});

test('docs/metrics.md has every report type, and no others', () => {
  const [, section = ''] = page('metrics').split('## Report types');
  const cells = [...section.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, id = '']) => id));
  const ids = reports.map(({ id }) => id);
  expect(named.filter((id) => id !== 'columnsBy').sort()).toEqual([...ids].sort());
});

test('reports are asked for by distinct names', () => {
  expect(new Set(reports.map(({ id }) => id.toLowerCase())).size).toBe(reports.length);
});
