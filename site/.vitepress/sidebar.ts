import type { DefaultTheme } from "vitepress";
import { titleOf } from "../html/title.js";
import type { Navigation } from "../pages/navigation.js";

/** The sidebar of all pages. */
export function sidebar({ operations, rpcs, resources }: Navigation): DefaultTheme.SidebarItem[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return [
    {
      text: "Chat API",
      link: "/chat/",
      items: [
        { text: "Conventions", link: "/chat/conventions" },
        { text: "Error codes", link: "/codes" },
        { text: "Provider states", link: "/states" },
        ...tags.map((tag) => ({
          text: titleOf(tag),
          // A group without a link would be a button that contains another one.
          link: `/chat/#tag-${tag}`,
          collapsed: true,
          items: operations
            .filter((one) => one.tag === tag)
            .map(({ operationId, summary }) => ({ text: summary, link: `/chat/${operationId}` })),
        })),
      ],
    },
    {
      text: "Daemon RPCs",
      link: "/daemon/",
      items: [
        { text: "Conventions", link: "/daemon/conventions" },
        ...rpcs.map((rpc) => ({ text: rpc, link: `/daemon/${rpc}` })),
        { text: "Messages without an RPC", link: "/daemon/messages" },
      ],
    },
    {
      text: "Workflows",
      link: "/workflows/",
      collapsed: true,
      items: resources.map((resource) => ({ text: titleOf(resource), link: `/workflows/${resource}` })),
    },
    {
      text: "Guides",
      link: "/guides/",
      items: [
        { text: "Install", link: "/guides/install" },
        { text: "Verify a server", link: "/guides/verify" },
        { text: "Test a client", link: "/guides/clients" },
        { text: "Rules for clients", link: "/guides/client-rules" },
        { text: "Generate a client", link: "/guides/generators" },
        { text: "Feature levels", link: "/guides/feature-levels" },
        { text: "Write a daemon", link: "/guides/daemon-authors" },
        { text: "Protobuf", link: "/guides/protobuf" },
        { text: "Subscription formats", link: "/guides/subscription-formats" },
        { text: "Other tools", link: "/guides/tools" },
        { text: "Reports", link: "/reports" },
        { text: "Faults", link: "/guides/project/scripts-faults" },
        { text: "Open questions", link: "/guides/open-questions" },
        { text: "Contributing", link: "/guides/project/contributing" },
        { text: "Changelog", link: "/guides/project/changelog" },
      ],
    },
  ];
}
