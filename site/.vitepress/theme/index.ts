import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import CompareLevels from "../../components/CompareLevels.vue";
import TryIt from "../../components/console/TryIt.vue";
import FaultsFilter from "../../components/faults/FaultsFilter.vue";
import Layout from "../../components/Layout.vue";
import ReportViewer from "../../components/reports/ReportViewer.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp: ({ app }) => {
    app.component("FaultsFilter", FaultsFilter);
    app.component("TryIt", TryIt);
    app.component("ReportViewer", ReportViewer);
    app.component("CompareLevels", CompareLevels);
  },
} satisfies Theme;
