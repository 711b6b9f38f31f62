import type { DefaultTheme } from "vitepress";
import type { Navigation } from "../pages/navigation.js";

/** The sidebar of all pages. */
export function sidebar({ operations }: Navigation): DefaultTheme.SidebarItem[] {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return [
    {
      text: "Chat API",
      link: "/chat/index",
      items: [
        { text: "Conventions", link: "/chat/conventions" },
        ...tags.map((tag) => ({
          text: tag.replaceAll("_", " "),
          collapsed: true,
          items: operations
            .filter((one) => one.tag === tag)
            .map(({ operationId, summary }) => ({ text: summary, link: `/chat/${operationId}` })),
        })),
      ],
    },
    {
      text: "Guides",
      items: [
        { text: "By reader", link: "/guides/index" },
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
        { text: "Faults", link: "/guides/faults" },
        { text: "Open questions", link: "/guides/open-questions" },
        { text: "Contributing", link: "/guides/project/contributing" },
        { text: "Changelog", link: "/guides/project/changelog" },
      ],
    },
  ];
}
