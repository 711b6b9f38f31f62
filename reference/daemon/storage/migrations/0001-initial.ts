/** The first schema: network records, and the nodes of imported subscriptions. */
export const initial = `
create table network (
  id integer primary key autoincrement,
  type integer not null,
  name text not null,
  selected_ordinal integer not null default 0
) strict;

create table node_block (
  network_id integer not null references network(id),
  first_ordinal integer not null,
  ordinals blob not null,
  nodes blob not null,
  primary key (network_id, first_ordinal)
) strict;
`;
