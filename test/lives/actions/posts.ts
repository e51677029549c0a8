import type { Caller } from '../model/access.js';
import type { Comment } from '../model/comments.js';
import type { Post, PostResult } from '../model/posts.js';
import type { World } from '../world/world.js';
import type { Action } from './actions.js';
import { type Actor, chooseModerator, chooseReader } from './actors.js';
import { pathOf } from './members.js';

const LEVELS = [0, 0, 2, 4];

export const postActions: readonly Action[] = [
  { name: 'write a post', act: publish },
  { name: 'write a post', act: publish },
  { name: 'edit a post', act: edit },
  { name: 'delete a post', act: (world) => moderate(world, 'delete') },
  { name: 'restore a post', act: (world) => moderate(world, 'restore') },
  { name: 'comment', act: comment },
  { name: 'delete a comment', act: deleteComment },
  { name: 'like a post', act: (world) => like(world, 'PUT') },
  { name: 'like a post', act: (world) => like(world, 'PUT') },
  { name: 'unlike a post', act: (world) => like(world, 'DELETE') },
];

async function publish(world: World): Promise<void> {
  const { choices, model } = world;
  const community = choices.pick(model.communities.all);
  const { api, caller } = await chooseReader(world, community);
  const [content, level] = [choices.createMark('post'), choices.pick(LEVELS)];
  world.record(`${content} of level ${level} in ${community.name}`);
  const { outcome, data } = model.posts.publish(community, caller, content, level);
  const reply = await api.post(`${pathOf(world, community)}/posts`, { content, required_level: level });
  world.expect(outcome, reply, data);
}

async function edit(world: World): Promise<void> {
  const { model, choices } = world;
  await change(world, chooseReader, (post, { api, caller }, path) => {
    const content = choices.createMark('edited');
    return [model.posts.edit(post, caller, content), () => api.patch(path, { content })];
  });
}

async function moderate(world: World, verb: 'delete' | 'restore'): Promise<void> {
  const { posts } = world.model;
  const choose = verb === 'restore' || world.choices.isOneIn(2) ? chooseModerator : chooseReader;
  await change(world, choose, (post, { api, caller }, path) =>
    verb === 'delete'
      ? [posts.delete(post, caller), () => api.delete(path)]
      : [posts.restore(post, caller), () => api.post(`${path}/restore`)],
  );
}

async function like(world: World, method: 'PUT' | 'DELETE'): Promise<void> {
  const { posts } = world.model;
  await change(world, chooseReader, (post, { api, caller }, path) => [
    method === 'PUT' ? posts.like(post, caller) : posts.unlike(post, caller),
    () => api.send(method, `${path}/like`),
  ]);
}

async function comment(world: World): Promise<void> {
  const { choices, model, names } = world;
  await change(world, chooseReader, (post, { api, caller }, path) => {
    const known = model.posts.comments.listOf(post).filter(({ key }) => names.has(key));
    const parent = known.length > 0 && choices.isOneIn(2) ? choices.pick(known) : null;
    const content = choices.createMark('comment');
    const body = { content, ...(parent !== null && { parent_comment_id: names.idOf(parent.key) }) };
    return [model.posts.comments.write(post, caller, content, parent), () => api.post(`${path}/comments`, body)];
  });
}

async function deleteComment(world: World): Promise<void> {
  const { choices, model, names } = world;
  const all = model.posts.all.flatMap((post) => model.posts.comments.listOf(post));
  if (all.length === 0) return;
  const chosen: Comment = choices.pick(all);
  const { api, caller } = await chooseModerator(world, chosen.post.community);
  world.record(`delete ${chosen.key}`);
  const { outcome, data } = model.posts.comments.delete(chosen, caller);
  world.expect(outcome, await api.delete(`/v1/community/comments/${names.idOf(chosen.key)}`), data);
}

type Choose = typeof chooseReader;
type Request = (post: Post, actor: Actor, path: string) => [PostResult, () => ReturnType<Actor['api']['get']>];

/** Sends a request about a post that was chosen at random. */
async function change(world: World, choose: Choose, request: Request): Promise<void> {
  const { choices, model, names } = world;
  if (model.posts.all.length === 0) return;
  const post = choices.pick(model.posts.all);
  const actor = await choose(world, post.community);
  world.record(`${describe(actor.caller)} and ${post.key} in ${post.community.name}`);
  const [{ outcome, data }, send] = request(post, actor, `/v1/community/posts/${names.idOf(post.key)}`);
  world.expect(outcome, await send(), data);
}

function describe({ user }: Caller): string {
  return user?.key ?? 'the key';
}
