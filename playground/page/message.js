import { avatar, nameOf } from './avatar.js';
import { drawBlocks } from './blocks.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { mrkdwn } from './mrkdwn.js';
import { moreButton } from './popover.js';
import { createScene } from './scene.js';
import { act } from './server.js';
import { clockTime, slackDate } from './slack-date.js';

/**
 * One message as a row; `compact` rows follow another of the same author and show no name.
 * @param {object} message
 * @param {object} state
 * @param {{compact?: boolean, replies?: object[], openThread?: (ts: string) => void}} [options]
 */
export function messageRow(message, state, { compact = false, replies = [], openThread } = {}) {
  const seconds = Number(message.ts);
  const whole = slackDate(seconds, '{date_long} at {time_secs}', state.now);
  const time = h(
    'time',
    { class: 'time', datetime: new Date(seconds * 1000).toISOString(), title: whole },
    clockTime(seconds, !compact),
  );
  const scene = createScene(
    state,
    { channel: message.channel, ts: message.ts },
    { blocks: message.blocks ?? [] },
  );
  return h(
    'article',
    {
      class: `message${compact ? ' compact' : ''}${message.onlyFor ? ' ephemeral' : ''}`,
      dataset: { ts: message.ts },
      'aria-label': `${nameOf(message.user, state)} at ${clockTime(seconds)}`,
    },
    h('div', { class: 'message-side' }, compact ? time : avatar(message.user, state)),
    h(
      'div',
      { class: 'message-body' },
      message.onlyFor && h('div', { class: 'only-you' }, icon('eye', 14), 'Only visible to you'),
      message.answers &&
        h(
          'div',
          { class: 'answers' },
          h('b', {}, nameOf(message.answers.user, state)),
          ' used ',
          h('span', { class: 'mention' }, message.answers.text),
        ),
      !compact &&
        h(
          'div',
          { class: 'message-head' },
          h('span', { class: 'author' }, nameOf(message.user, state)),
          message.byApp && h('span', { class: 'badge' }, 'APP'),
          time,
        ),
      content(message, state, scene),
      replies.length > 0 && openThread && threadLink(message, replies, state, openThread),
    ),
    !message.onlyFor && tools(message, state, openThread),
  );
}

function content(message, state, scene) {
  const edited = message.edited && h('span', { class: 'edited' }, ' (edited)');
  const files = message.files?.map(file);
  const below = [files, unfurled(message, scene)];
  if (message.blocks?.length > 0)
    return [h('div', { class: 'blocks' }, drawBlocks(message.blocks, scene)), below, edited];
  return [h('div', { class: 'text' }, message.text && mrkdwn(message.text, state.names), edited), below];
}

/** What an app shows below links. */
function unfurled({ unfurls = {} }, scene) {
  return Object.values(unfurls).map((blocks) =>
    h('div', { class: 'unfurl blocks' }, drawBlocks(blocks, scene)),
  );
}

function file({
  id,
  name,
  title,
  mimetype,
  pretty_type: type,
  size,
  url_private: address,
  url_private_download: download,
  alt_txt: alt,
}) {
  const get = h(
    'a',
    {
      class: 'button plain icon-button file-get',
      href: download,
      download: name,
      'aria-label': `Download ${name}`,
      title: 'Download',
    },
    icon('download'),
  );
  if (mimetype.startsWith('image/'))
    return h(
      'figure',
      { class: 'file-image', dataset: { file: id } },
      h('figcaption', {}, title),
      h(
        'a',
        { href: address, target: '_blank', rel: 'noopener' },
        h('img', { src: address, alt: alt ?? title }),
      ),
      get,
    );
  return h(
    'div',
    { class: 'file', dataset: { file: id } },
    h('span', { class: `file-sign file-${type.toLowerCase()}` }, icon('file')),
    h(
      'span',
      { class: 'file-words' },
      h('span', { class: 'file-title' }, title),
      h('span', { class: 'file-note' }, `${type} · ${sizeText(size)}`),
    ),
    get,
  );
}

function sizeText(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

function threadLink(message, replies, state, openThread) {
  const authors = [...new Set(replies.map(({ user }) => user))].slice(0, 4);
  return h(
    'button',
    { type: 'button', class: 'thread-link', on: { click: () => openThread(message.ts) } },
    authors.map((user) => avatar(user, state, 24)),
    h('span', { class: 'thread-count' }, `${replies.length} ${replies.length === 1 ? 'reply' : 'replies'}`),
    h(
      'span',
      { class: 'thread-when' },
      `Last reply ${slackDate(Number(replies.at(-1).ts), '{day_divider_pretty} at {time}', state.now)}`,
    ),
  );
}

function tools(message, state, openThread) {
  const shortcuts = state.shortcuts.filter(({ type }) => type === 'message');
  const more = moreButton({
    look: 'tool',
    size: 18,
    items: () =>
      shortcuts.map(({ name, callbackId }) => ({
        label: name,
        note: state.app.name,
        run: () =>
          act('shortcut', {
            user: state.me,
            callbackId,
            message: { channel: message.channel, ts: message.ts },
          }),
      })),
  });
  if (!openThread && shortcuts.length === 0) return null;
  return h(
    'div',
    { class: 'tools' },
    openThread &&
      h(
        'button',
        {
          type: 'button',
          class: 'tool',
          'aria-label': 'Reply in thread',
          title: 'Reply in thread',
          on: { click: () => openThread(message.threadTs ?? message.ts) },
        },
        icon('thread', 18),
      ),
    shortcuts.length > 0 && more,
  );
}
